/**
 * Is this URL really yours? What providers ask a URL before they send hooks to it, and what they
 * are told. A handshake stores nothing and needs no store.
 *
 * <p>Everything that is echoed is short, printable and of a form that its provider uses. What is
 * signed at a sender's wish can never pass for a hook of the same source (G11), and no secret shows
 * in anything printed (G12).
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"hook", "signature"})
package dev.highwater.handshake;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
