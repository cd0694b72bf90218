/**
 * Owns RocksDB: opening, column families, options, leases, scans, reopening. No other room imports
 * it.
 *
 * <p>Holds G8 for what it reads, and never lets a closed handle be used: that would end the
 * process.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"hook", "codec"})
package dev.highwater.store;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
