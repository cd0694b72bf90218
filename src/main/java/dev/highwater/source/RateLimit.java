package dev.highwater.source;

import java.time.Duration;

/**
 * How much may come in: so much a second on the average, and what belongs to {@code burst} at once.
 *
 * @param hooksPerSecond 0 for no limit
 * @param bytesPerSecond of bodies; 0 for no limit
 * @param burst how long's worth of it may come at once
 */
public record RateLimit(long hooksPerSecond, long bytesPerSecond, Duration burst) {
  /** How many hooks may come at once; at least one. */
  public long hooksAtOnce() {
    return atOnce(hooksPerSecond);
  }

  /** How many bytes of bodies may come at once; at least one. */
  public long bytesAtOnce() {
    return atOnce(bytesPerSecond);
  }

  private long atOnce(long perSecond) {
    return Math.max(1, Math.multiplyExact(perSecond, burst.toMillis()) / 1000);
  }
}
