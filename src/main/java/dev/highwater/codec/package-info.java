/**
 * The bytes of every key and value in the store, versioned and checksummed. Whatever is written
 * here must be readable by every later version; golden files in the tests hold it to that.
 *
 * <p>Keys are big-endian, so byte order is sort order; variable parts are length-prefixed, so no
 * key is a prefix of another's meaning. A value is a version byte, the fields, and a CRC-32C over
 * both.
 */
@NullMarked
@ApplicationModule(allowedDependencies = "hook")
package dev.highwater.codec;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
