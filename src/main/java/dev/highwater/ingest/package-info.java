/**
 * The HTTP way in: what arrives on the public port is bounded, verified, handed to the queue and
 * answered once it is durable. Whatever is not a hook is a 404 here.
 *
 * <p>Holds G10 to G13 for what is being received. A provider only ever meets the status codes of
 * {@link dev.highwater.hook.ErrorCode}, a source's own success status and that of a handshake,
 * always as JSON or as the source's own body, whatever it asked for.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"hook", "source", "signature", "handshake", "queue"})
package dev.highwater.ingest;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
