package dev.highwater.queue;

/**
 * What is known of the write path at one moment. Read as a whole, so that no reader sees one number
 * of before and another of after.
 *
 * @param appliedSeq the highest seq the writer has begun to apply
 * @param durableSeq the highest seq up to which everything is on disk
 * @param durableAt the stamp of the newest durable group, in milliseconds
 * @param unsyncedSince a stamp at or before that of the oldest group that is not durable;
 *     meaningful while there is one
 * @param epoch counts the fences; a result that began in an older epoch never moves the mark
 * @param fenced nothing new is accepted until what was never acked is gone (G6)
 */
public record Marks(
    long appliedSeq,
    long durableSeq,
    long durableAt,
    long unsyncedSince,
    long epoch,
    boolean fenced) {

  /** Whether a group is applied that no fsync has covered yet. */
  public boolean unsynced() {
    return appliedSeq > durableSeq;
  }

  /** How many seqs are applied and not durable. */
  public long gap() {
    return appliedSeq - durableSeq;
  }

  /**
   * The latest stamp dispatch may treat as now: {@code now} while everything applied is durable,
   * else one millisecond before the newest durable group, so that no row of a group still in the
   * pipeline is ever due (G2).
   */
  public long visible(long now) {
    return unsynced() ? Math.min(now, durableAt - 1) : now;
  }
}
