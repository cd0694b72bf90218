/** The sink {@code log}: one line per hook, for trying things out. */
@NullMarked
@ApplicationModule(allowedDependencies = {"hook", "sink"})
package dev.highwater.sink.log;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
