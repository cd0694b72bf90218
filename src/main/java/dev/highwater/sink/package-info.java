/**
 * The port to the systems hooks are delivered to. One room below it per transport, each the only
 * importer of its client.
 */
@NullMarked
@ApplicationModule(allowedDependencies = "hook")
package dev.highwater.sink;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
