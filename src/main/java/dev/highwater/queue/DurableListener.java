package dev.highwater.queue;

/**
 * Is told what has become durable. Called on the syncer's thread after the mark has moved and
 * before the callers are answered, so it must return at once: note the fact and wake a thread of
 * its own.
 */
public interface DurableListener {
  /**
   * A group with due rows is durable.
   *
   * @param sinkIds the sinks that have a new due row, each once
   * @param at the stamp of those rows
   */
  void durable(int[] sinkIds, long at);

  /**
   * The fence is open again; due rows may have been taken back meanwhile, and writes that were
   * refused can be made now.
   */
  void resumed();
}
