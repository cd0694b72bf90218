package dev.highwater.hook;

import java.time.Duration;

/**
 * What the write path says to a hook that was submitted to it. An {@link Accepted} answer exists
 * only once it is durable (G1, G2); a {@link Refused} hook is never delivered and not found by its
 * retry (G5).
 */
public sealed interface Answer {

  /** The hook is safe on disk: the provider may forget it. */
  sealed interface Accepted extends Answer {
    /** The id to answer with. */
    HookId id();
  }

  /** Stored as a new hook. */
  record Stored(HookId id) implements Accepted {}

  /**
   * Seen before.
   *
   * @param id of the original, which is durable
   */
  record Duplicate(HookId id) implements Accepted {}

  /**
   * Not verified, and kept in the pen: nothing delivers it before a person lets it out.
   *
   * @param id by which it is found there, and which it keeps when it is let out
   */
  record Quarantined(HookId id) implements Accepted {}

  /**
   * Not stored.
   *
   * @param code why
   * @param retryAfter when the provider should come back; at least a second
   */
  record Refused(ErrorCode code, Duration retryAfter) implements Answer {
    public Refused(ErrorCode code) {
      this(code, Duration.ofSeconds(1));
    }
  }
}
