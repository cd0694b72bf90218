package dev.highwater.queue;

/**
 * The durable high-water mark and what belongs to it.
 *
 * <p>Raising the applied seq, moving the mark, latching and opening the fence happen under one lock
 * and publish one immutable {@link Marks}, so a reader never sees a torn pair and pays one volatile
 * read. After the latch no write starts and no mark moves: {@link #raiseApplied} and {@link
 * #markDurable} answer false, and their caller has to refuse what it holds.
 *
 * <p>Any thread may call.
 */
public final class DurableMarks {
  private volatile Marks marks;

  /**
   * Starts with everything up to {@code seq} durable: what a start has found in the store is on
   * disk.
   */
  DurableMarks(long seq, long at) {
    marks = new Marks(seq, seq, at, at, 0, false);
  }

  /** All of them as they are now. */
  public Marks read() {
    return marks;
  }

  /**
   * Says that a group is about to be written. Before the write, so that whoever sees its rows also
   * sees that they are not durable (G2).
   *
   * @param epoch in which the group was begun
   * @param seq the highest of the group
   * @param at its stamp
   * @return false if a fence was latched meanwhile: the group must not be written
   */
  synchronized boolean raiseApplied(long epoch, long seq, long at) {
    Marks now = marks;
    if (now.fenced() || now.epoch() != epoch) {
      return false;
    }
    check(
        seq > now.appliedSeq(), "a group has the seq " + seq + ", applied is " + now.appliedSeq());
    long since = now.unsynced() ? now.unsyncedSince() : at;
    marks = new Marks(seq, now.durableSeq(), now.durableAt(), since, epoch, false);
    return true;
  }

  /**
   * Says that an fsync has covered everything up to {@code seq}; raises the mark, never lowers it.
   *
   * @param epoch in which the fsync was begun
   * @return false if a fence was latched meanwhile: what the fsync covered counts as failed
   */
  synchronized boolean markDurable(long epoch, long seq, long at) {
    Marks now = marks;
    if (now.fenced() || now.epoch() != epoch) {
      return false;
    }
    check(seq <= now.appliedSeq(), "durable " + seq + " is above applied " + now.appliedSeq());
    if (seq > now.durableSeq()) {
      marks =
          new Marks(
              now.appliedSeq(),
              seq,
              Math.max(at, now.durableAt()),
              Math.max(at, now.unsyncedSince()),
              epoch,
              false);
    }
    return true;
  }

  /**
   * Latches the fence (G6).
   *
   * @return whether this call did; false when it was latched already
   */
  synchronized boolean latch() {
    Marks now = marks;
    if (now.fenced()) {
      return false;
    }
    marks =
        new Marks(
            now.appliedSeq(),
            now.durableSeq(),
            now.durableAt(),
            now.unsyncedSince(),
            now.epoch() + 1,
            true);
    return true;
  }

  /**
   * Opens the fence: every seq up to {@code seq} is settled, what was never acked is gone from the
   * disk.
   *
   * @param epoch of the fence that was settled
   * @return false if that fence is not the one that is latched
   */
  synchronized boolean resume(long epoch, long seq, long at) {
    Marks now = marks;
    if (!now.fenced() || now.epoch() != epoch) {
      return false;
    }
    check(seq >= now.appliedSeq(), "settled " + seq + " is below applied " + now.appliedSeq());
    marks = new Marks(seq, seq, Math.max(at, now.durableAt()), at, epoch, false);
    return true;
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
