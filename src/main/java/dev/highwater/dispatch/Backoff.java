package dev.highwater.dispatch;

import java.time.Duration;

/**
 * When something that failed may be tried again: the pause doubles with every failure in a row.
 * Monotonic time in nanoseconds. Owned by the dispatch thread.
 */
final class Backoff {
  private final long first;
  private final long longest;
  private long pause;
  private long until;
  private boolean armed;

  Backoff(Duration first, Duration longest) {
    this.first = first.toNanos();
    this.longest = longest.toNanos();
  }

  /**
   * Notes a failure.
   *
   * @return whether it is the first in a row
   */
  boolean failed(long now) {
    boolean begins = pause == 0;
    pause = begins ? first : Math.min(longest, 2 * pause);
    until = now + pause;
    armed = true;
    return begins;
  }

  /** It worked: the next failure is the first again. */
  void over() {
    pause = 0;
    armed = false;
  }

  /** Nothing failed any more that we know of: try at once, but remember the pause. */
  void cutShort() {
    armed = false;
  }

  /** Whether to wait still. */
  boolean isOn(long now) {
    if (armed && until - now <= 0) {
      armed = false;
    }
    return armed;
  }

  /** Whether it was on when last asked. */
  boolean isArmed() {
    return armed;
  }

  /**
   * Nanoseconds until {@link #isOn} must be asked again, or {@link Long#MAX_VALUE} when there is
   * nothing to wait for.
   */
  long left(long now) {
    return armed ? Math.max(0, until - now) : Long.MAX_VALUE;
  }

  Duration pause() {
    return Duration.ofNanos(pause);
  }
}
