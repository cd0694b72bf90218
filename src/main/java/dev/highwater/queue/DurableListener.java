package dev.highwater.queue;

import java.util.List;

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
   * @param due the new due rows, each sink once
   * @param at the stamp of those rows
   */
  void durable(List<DueRows> due, long at);

  /**
   * The fence is open again; due rows may have been taken back meanwhile, and writes that were
   * refused can be made now.
   */
  void resumed();
}
