package dev.highwater.queue;

import dev.highwater.codec.Keys;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import dev.highwater.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been handed to a write and is not yet settled: durable, or removed again. When a failure
 * has fenced the queue and the store has been reopened, the rows of every group that was never
 * acked are removed in one synced write, from the list in memory and not from a scan. If that
 * fails, the store is reopened once more and it is tried again, after a wait that doubles. Only
 * then is the marker removed and the syncer told to go on (G5). The seqs stay used (G3).
 *
 * <p>The writer's thread runs all of it and owns all of its fields.
 */
final class Settlement {
  private static final Logger log = LoggerFactory.getLogger(Settlement.class);

  /** The wait after a clean-up that failed; doubles with each in a row. */
  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Store store;
  private final Fence fence;
  private final SyncerService syncer;
  private final StampClock clock;
  private final LongSupplier nanoTime;

  private final UnackedGroups unacked = new UnackedGroups();

  /** Undo rows of commands that are durable, to be removed with the next group. */
  private final List<Long> undoRows = new ArrayList<>();

  /** The failure that was cleaned up after last. */
  private Fence.@Nullable Latched settled;

  /** How long to wait after the last clean-up that failed, and since when. */
  private long waitNanos;

  private long failedAt;

  Settlement(
      Store store, Fence fence, SyncerService syncer, StampClock clock, LongSupplier nanoTime) {
    this.store = store;
    this.fence = fence;
    this.syncer = syncer;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** Forgets the groups that have become durable. */
  void durableUpTo(long durableSeq) {
    undoRows.addAll(unacked.forgetUpTo(durableSeq));
  }

  /** Undo rows that nobody needs any more. */
  List<Long> undoRows() {
    return undoRows;
  }

  /** The next group, which will remove {@link #undoRows()}, is about to be written. */
  void remember(UnackedGroups.Group group) {
    unacked.add(group);
  }

  /** The group was written. */
  void undoRowsAreRemoved() {
    undoRows.clear();
  }

  /**
   * Cleans up after the failure that has latched the fence, if it is time.
   *
   * @param now a look at the marks in which the queue is fenced
   * @param nextSeq the first seq that was never handed to a write
   * @return whether it is done, and the syncer has been told to go on; if not, look again a little
   *     later
   */
  boolean settle(Marks now, long nextSeq) {
    Fence.Latched latched = fence.last();
    if (latched == null || latched.epoch() != now.epoch() || latched.equals(settled)) {
      // Just being latched by another thread, or the resume is on its way through the syncer's
      // queue.
      return false;
    }
    if (!store.isOpen()
        || store.generation() <= latched.generation()
        || !latched.marked().isDone()
        || nanoTime.getAsLong() - failedAt < waitNanos) {
      return false;
    }
    long at = clock.now();
    try (StoreLease lease = store.lease()) {
      removeUnacked(lease, at, now.durableSeq(), nextSeq);
    } catch (StoreUnavailableException e) {
      // Something else has failed just now: the store is opened once more before this goes on.
      return false;
    } catch (StoreException e) {
      // It was reported like any failed write, so the store is opened anew before the next try.
      failedAt = nanoTime.getAsLong();
      waitNanos = Math.clamp(2 * waitNanos, WAIT_NANOS, MOST_WAIT_NANOS);
      log.warn("The clean-up after the fence failed and is tried again: {}", e.getMessage());
      return false;
    }
    waitNanos = 0;
    // Without the lease: this waits for another file, and a failure meanwhile needs the store.
    fence.unmark(latched);
    settled = latched;
    syncer.resume(latched, nextSeq - 1, at);
    return true;
  }

  private void removeUnacked(StoreLease lease, long at, long durableSeq, long nextSeq)
      throws StoreException {
    durableUpTo(durableSeq);
    var batch = new Batch();
    unacked.undoAll(batch);
    batch.put(Family.DEFAULT, Keys.nextSeq(), Keys.number(nextSeq));
    batch.put(Family.DEFAULT, Keys.lastAt(), Keys.number(at));
    lease.writeSynced(batch);
    log.info("{} groups that were never acked are removed.", unacked.size());
    unacked.clear();
  }
}
