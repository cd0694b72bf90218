package dev.highwater.source;

import dev.highwater.hook.DedupeKey;
import dev.highwater.signature.VerifiedRequest;
import org.jspecify.annotations.Nullable;

/**
 * Finds the key a hook is deduplicated by. Takes only what was verified, so that a forger cannot
 * block an event (G11).
 */
public interface DedupeRule {
  /** Every hook is new. */
  DedupeRule NONE = request -> null;

  /**
   * The key, or null where the request has none: then it is stored as new. Never throws, linear
   * time, bounded depth.
   */
  @Nullable DedupeKey keyOf(VerifiedRequest request);
}
