/**
 * Who may call what on the operator port.
 *
 * <p>As long as no credentials can be configured, the answer is: health, anyone; everything else,
 * whoever is on the machine and says so in its {@code Host} header.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package dev.highwater.security;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
