package dev.highwater.sink;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What came of an attempt. Details are for people; they never hold a body, a header value or a
 * secret (G12).
 */
public sealed interface Outcome {
  String detail();

  /** Confirmed by the other side. */
  record Delivered(String detail) implements Outcome {}

  /**
   * Try again later.
   *
   * @param retryAfter what the other side asked for, or null
   */
  record Transient(String detail, @Nullable Duration retryAfter) implements Outcome {}

  /** Trying again is no use. */
  record Permanent(String detail) implements Outcome {}
}
