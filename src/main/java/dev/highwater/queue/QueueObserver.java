package dev.highwater.queue;

/**
 * Sees what the write path does, for meters. Called on the write path's own threads: must return at
 * once and never throw.
 */
public interface QueueObserver {
  QueueObserver NONE = new QueueObserver() {};

  /**
   * A group was applied.
   *
   * @param hooks how many new hooks it has
   * @param duplicates how many of its calls were duplicates
   * @param bytes of the batch
   * @param queuedNanos how long its oldest call had waited
   * @param writeNanos how long looking up, encoding and writing took
   */
  default void applied(int hooks, int duplicates, int bytes, long queuedNanos, long writeNanos) {}

  /**
   * An fsync ended well.
   *
   * @param nanos how long it took
   * @param entries how many groups it covered
   */
  default void synced(long nanos, int entries) {}

  /**
   * The callers of a group were answered, with success.
   *
   * @param calls how many
   * @param duplicates how many of them were told that they were duplicates
   * @param waitNanos from the end of its write to the answer
   */
  default void answered(int calls, int duplicates, long waitNanos) {}

  /** A hook that was already queued was refused. */
  default void refused(dev.highwater.hook.ErrorCode code) {}
}
