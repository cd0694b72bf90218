package dev.highwater.queue;

import dev.highwater.store.Batch;
import dev.highwater.store.StoreException;

/**
 * The door for writes that may be lost in a crash and made again: outcomes of attempts, expiries.
 * They are applied and not synced; the next fsync of the queue makes them durable.
 *
 * <p>Such a write may touch only rows of durable hooks, must not remove a hook and must not add an
 * obligation: those are commands of the writer.
 */
public interface RepeatableWrites {
  /**
   * Applies the batch.
   *
   * @throws dev.highwater.store.StoreUnavailableException while the queue is fenced or the store is
   *     being reopened; nothing was written, the caller keeps the batch and writes it after {@link
   *     DurableListener#resumed()}
   * @throws StoreException if the write failed; the queue is then fenced, and the caller keeps the
   *     batch as well
   */
  void write(Batch batch) throws StoreException;
}
