package dev.highwater.queue;

/**
 * Is told what has become durable. Called on the syncer's thread after the mark has moved and
 * before the callers are answered, so it must return at once: note the fact and wake a thread of
 * its own.
 */
public interface DurableListener {
  /**
   * The mark has moved over a group. Also called when the group has no due row, with no sinks: rows
   * of groups before it may have become visible.
   *
   * @param sinkIds the sinks that have a new due row, each once
   * @param rows how many new due rows each of them has, in the same order
   * @param at the stamp of those rows
   */
  void durable(int[] sinkIds, int[] rows, long at);

  /**
   * The fence is open again; due rows may have been taken back meanwhile, and writes that were
   * refused can be made now.
   */
  void resumed();
}
