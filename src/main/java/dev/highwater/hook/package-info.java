/**
 * The vocabulary of the program: hooks, their ids and headers, what was answered, how far a
 * delivery is. No I/O, no threads, no framework.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package dev.highwater.hook;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
