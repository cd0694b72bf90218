package dev.highwater.source;

import org.jspecify.annotations.Nullable;

/**
 * Every limit that a hook of a source meets.
 *
 * @param tenant of all sources of its tenant together
 * @param source of the source
 * @param client of each client address of the source
 */
public record RateLimits(
    @Nullable RateLimit tenant, @Nullable RateLimit source, @Nullable RateLimit client) {
  public static final RateLimits NONE = new RateLimits(null, null, null);
}
