package dev.highwater.queue;

import dev.highwater.hook.SourceRef;

/**
 * Says when so much of one source waits for delivery, in rows or in bytes, that no more of it
 * should be taken in; only that source is refused then (G10, G13). Any thread; costs a few reads.
 */
@FunctionalInterface
public interface BacklogLimit {
  BacklogLimit NONE = source -> false;

  boolean isFull(SourceRef source);
}
