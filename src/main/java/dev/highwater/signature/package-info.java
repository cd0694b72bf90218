/**
 * Who sent this? Schemes, and the presets made of them, turn an {@link
 * dev.highwater.signature.UnverifiedRequest} into a {@link
 * dev.highwater.signature.VerifiedRequest}. A scheme is data; a preset is a row of it.
 */
@NullMarked
@ApplicationModule(allowedDependencies = "hook")
package dev.highwater.signature;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
