/**
 * What is configured: sources and their tenants, secrets, rules and sinks, as validated immutable
 * snapshots.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"hook", "signature", "handshake"})
package dev.highwater.source;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
