/**
 * Meters and health: reads what the other rooms tell of themselves and changes nothing.
 *
 * <p>Labels come from the configuration only, so no request can make a series (G11).
 */
@NullMarked
@ApplicationModule(
    allowedDependencies = {"hook", "signature", "store", "queue", "ingest", "sink", "dispatch"})
package dev.highwater.telemetry;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
