/**
 * What is delivered when: the scheduler over the durable due rows, its fairness between tenants and
 * sinks, retries, and the deliveries that end dead.
 *
 * <p>Holds G10 between sinks and G14. Sees the write path only through its marks and its door for
 * repeatable writes, and never a row above the durable mark (G2).
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"hook", "codec", "source", "sink", "store", "queue"})
package dev.highwater.dispatch;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
