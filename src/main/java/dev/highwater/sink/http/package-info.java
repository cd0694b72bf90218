/**
 * The sink {@code http}: POSTs each hook to a URL, signed as Standard Webhooks. The only importer
 * of the HTTP client.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {"hook", "sink"})
package dev.highwater.sink.http;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
