package dev.highwater.queue;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The clock of stamps (G7). It shows the wall clock, except that it never goes back: where the wall
 * clock is behind the last stamp, be it after a step or after a restart, it goes on from that stamp
 * at half the monotonic clock's speed until the wall clock has caught up. So after a step of an
 * hour forward and back, a retry waits at most twice its time and not an hour.
 *
 * <p>Any thread may call.
 */
final class StampClock {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final InstantSource wall;
  private final LongSupplier nanoTime;

  /** Guarded by this. */
  private long stamp;

  /**
   * Guarded by this: the monotonic time at which {@link #stamp} was right; moves in whole steps of
   * a stamp.
   */
  private long stampNanos;

  /**
   * A clock that goes on from a stored stamp.
   *
   * @param last the last stamp that was given before, in milliseconds; 0 if there was none
   */
  StampClock(InstantSource wall, LongSupplier nanoTime, long last) {
    this.wall = wall;
    this.nanoTime = nanoTime;
    this.stamp = last;
    this.stampNanos = nanoTime.getAsLong();
  }

  /** The stamp of now in milliseconds; never less than one given before. */
  synchronized long now() {
    long nanos = nanoTime.getAsLong();
    long wallMillis = wall.millis();
    if (wallMillis >= stamp) {
      stamp = wallMillis;
      stampNanos = nanos;
      return stamp;
    }
    long steps = (nanos - stampNanos) / (2 * NANOS_PER_MILLI);
    if (steps > 0) {
      stamp += steps;
      stampNanos += steps * 2 * NANOS_PER_MILLI;
    }
    return stamp;
  }
}
