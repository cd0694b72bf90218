/**
 * The write path. One thread assigns seqs and applies groups; one thread makes them durable.
 *
 * <p>Holds G1 to G7. Everything that changes the store goes through here.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"hook", "codec", "store"})
package dev.highwater.queue;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
