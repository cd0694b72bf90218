package dev.highwater.queue;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Lets the next group fill while an fsync runs: what arrives until that one returns is covered by
 * the next one anyway, and one large group costs less than many small ones. A group is held only
 * for as long as it can be written before the fsync returns, going by what the last ones took.
 *
 * <p>The writer's thread holds; the syncer's thread tells of the end of each fsync.
 */
final class GroupPacing {
  /** A group is not held longer than this, however slow the disk is. */
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** What parking and waking up take anyway. */
  private static final long LEAST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final LongSupplier running;
  private final LongSupplier usual;
  private final BooleanSupplier fenced;

  /** The writer's thread waits at it. */
  private final Doorbell bell = new Doorbell();

  /**
   * Paces by an fsync.
   *
   * @param running how long it has been running, in nanoseconds; 0 while none runs
   * @param usual what one takes at least, as a rule, in nanoseconds
   * @param fenced whether no group may be written anyway
   */
  GroupPacing(LongSupplier running, LongSupplier usual, BooleanSupplier fenced) {
    this.running = running;
    this.usual = usual;
    this.fenced = fenced;
  }

  /**
   * Waits, at most once a group, where that is worth it; returns early when the fsync ends or the
   * thread is woken for another reason.
   *
   * @return whether it waited
   */
  boolean hold() {
    long nanos = worthHolding();
    if (nanos < LEAST_NANOS) {
      return false;
    }
    // Looked at once more, now that the end of the fsync would wake this thread.
    bell.await(() -> running.getAsLong() > 0 && !fenced.getAsBoolean(), nanos);
    return true;
  }

  /** An eighth is left for the write and for an fsync that is quicker than usual. */
  private long worthHolding() {
    long already = running.getAsLong();
    long whole = usual.getAsLong();
    return already == 0 ? 0 : Math.min(whole - whole / 8 - already, MOST_NANOS);
  }

  /** An fsync has ended. Any thread. */
  void syncEnded() {
    bell.ring();
  }
}
