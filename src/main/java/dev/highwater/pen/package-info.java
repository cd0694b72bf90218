/**
 * The pen, where requests wait that failed verification: what is in it, letting it out, and
 * throwing it away. They get in through the queue, like hooks; whatever leaves does so as a command
 * of it.
 *
 * <p>Nothing here is on the way of a hook.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"hook", "codec", "store", "queue", "signature", "source"})
package dev.highwater.pen;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
