package dev.highwater.queue;

import dev.highwater.codec.HookCodec;
import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.queue.FenceMarker.Range;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine.Cursor;
import dev.highwater.store.StorageEngine.Direction;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out at the start where the queue stands, and removes what a fence before a crash left:
 * hooks that were answered with an error (G5). Runs before anything is served, on the starting
 * thread.
 *
 * <p>The next seq is above the stored marker, above the last hook and above every seq that may ever
 * have been handed to a write, so none is used twice (G3). A read that fails, or a row that should
 * be removed and does not decode, stops the start (G8).
 */
final class QueueRecovery {
  private static final Logger log = LoggerFactory.getLogger(QueueRecovery.class);

  /**
   * Where the queue stands.
   *
   * @param nextSeq the first seq that may be used; everything below is durable or gone
   * @param lastAt the last stamp that was given, 0 if none was
   */
  record State(long nextSeq, long lastAt) {}

  private QueueRecovery() {}

  static State recover(Store store, FenceMarker marker) throws StoreException {
    Range range;
    try {
      range = marker.open();
    } catch (StoreException | UnreadableValueException e) {
      throw new StoreException(
          "the file FENCED cannot be read, so it is not known which hooks were refused: "
              + e.getMessage(),
          e);
    }
    try (StoreLease lease = store.lease()) {
      long stored = number(lease, Keys.nextSeq(), 1);
      long lastAt = number(lease, Keys.lastAt(), 0);
      long nextSeq = Math.max(stored, lastHook(lease) + 1);
      if (!range.isEmpty()) {
        nextSeq = Math.max(nextSeq, range.to() + 1);
      }
      var batch = new Batch();
      int undone = undoRows(lease, batch, range);
      int removed = removeHooks(lease, batch, range);
      if (!batch.isEmpty() || nextSeq != stored) {
        batch.put(Family.DEFAULT, Keys.nextSeq(), Keys.number(nextSeq));
        lease.writeSynced(batch);
      }
      if (!range.isEmpty()) {
        log.warn(
            "The last run ended inside a fence: {} hooks and {} changes that were answered with an error are removed (seq {} to {}).",
            removed,
            undone,
            range.from(),
            range.to());
        clear(marker);
      }
      return new State(nextSeq, lastAt);
    } catch (UnreadableValueException e) {
      throw new StoreException("the store cannot be recovered: " + e.getMessage(), e);
    }
  }

  private static void clear(FenceMarker marker) {
    try {
      marker.clear();
    } catch (StoreException e) {
      log.warn(
          "The marker FENCED could not be removed: {}. Its seqs are gone already.", e.toString());
    }
  }

  private static long number(StoreLease lease, byte[] key, long absent) throws StoreException {
    byte[] value = lease.get(Family.DEFAULT, key);
    return value == null ? absent : Keys.numberOf(value);
  }

  private static long lastHook(StoreLease lease) throws StoreException {
    try (Cursor cursor =
        lease.scan(Family.HOOKS, Keys.hook(0), Keys.hook(Long.MAX_VALUE), Direction.BACKWARD)) {
      return cursor.next() ? Keys.seqOfHook(cursor.key()) : 0;
    }
  }

  /**
   * Undoes the commands of the range, the newest first, and removes undo rows that nobody needs any
   * more.
   */
  private static int undoRows(StoreLease lease, Batch batch, Range range) throws StoreException {
    int undone = 0;
    try (Cursor cursor =
        lease.scan(Family.DEFAULT, Keys.undo(0), Keys.undo(Long.MAX_VALUE), Direction.BACKWARD)) {
      while (cursor.next()) {
        long seq = Keys.seqOfUndo(cursor.key());
        if (range.contains(seq)) {
          UndoRow.undo(batch, seq, UndoRow.decode(seq, cursor.value()));
          undone++;
        } else {
          UndoRow.remove(batch, seq);
        }
      }
    }
    return undone;
  }

  private static int removeHooks(StoreLease lease, Batch batch, Range range) throws StoreException {
    if (range.isEmpty()) {
      return 0;
    }
    int removed = 0;
    try (Cursor cursor =
        lease.scan(
            Family.HOOKS, Keys.hook(range.from()), Keys.hook(range.to() + 1), Direction.BACKWARD)) {
      while (cursor.next()) {
        long seq = Keys.seqOfHook(cursor.key());
        var footprint = HookRows.Footprint.of(HookCodec.decode(seq, cursor.value()), null);
        HookRows.undo(footprint).forEach(change -> HookRows.apply(batch, change));
        removed++;
      }
    }
    return removed;
  }
}
