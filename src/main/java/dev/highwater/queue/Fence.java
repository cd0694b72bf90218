package dev.highwater.queue;

import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one fence. After a failed write, flush or sync nobody knows what is on the disk, so nothing
 * new is accepted until the store has been reopened and what was never acked is gone (G6).
 *
 * <p>Any thread latches it: the store calls {@link #latch} on the thread on which it failed, before
 * the failure is thrown. The marker file is written on a thread of its own, so that neither the
 * writer nor the syncer waits for the other; both wait for the file, for a bounded time, before
 * they answer anything that may already be in the log.
 */
final class Fence {
  private static final Logger log = LoggerFactory.getLogger(Fence.class);

  /**
   * How long an answer waits for the marker. A disk that takes longer is broken, and the marker is
   * best effort.
   */
  private static final long MARKER_WAIT_SECONDS = 5;

  /**
   * A latched fence, as of its latest failure.
   *
   * @param epoch the epoch it began
   * @param failures how many failures there had been since the start, this one included; a clean-up
   *     is worth nothing once there has been another
   * @param reason for people
   * @param since wall clock
   * @param generation of the store that failed last; the clean-up needs a later one
   * @param range what was never acked
   * @param marked completes when the marker was written, or could not be
   */
  record Latched(
      long epoch,
      long failures,
      String reason,
      Instant since,
      long generation,
      FenceMarker.Range range,
      CompletableFuture<Void> marked) {

    Latched after(long failure, long failedGeneration) {
      return new Latched(epoch, failure, reason, since, failedGeneration, range, marked);
    }
  }

  private final DurableMarks marks;
  private final FenceMarker marker;
  private final Store store;
  private final Executor markerThread;
  private final InstantSource wallClock;

  /** Guarded by this; the last fence, also after it was opened. */
  private @Nullable Latched last;

  private long count;
  private long failures;

  /** Called after every latch; set once, before the first. */
  private volatile Runnable whenLatched = () -> {};

  Fence(
      DurableMarks marks,
      FenceMarker marker,
      Store store,
      Executor markerThread,
      InstantSource wallClock) {
    this.marks = marks;
    this.marker = marker;
    this.store = store;
    this.markerThread = markerThread;
    this.wallClock = wallClock;
  }

  /**
   * Says who is to be woken when the fence is latched: the writer, which may be parked. Called
   * once, before the first latch.
   */
  void whenLatched(Runnable wake) {
    whenLatched = wake;
  }

  /**
   * Latches. Where it is latched already, the store is asked to reopen all the same, and a clean-up
   * that was made before this failure does not open the fence. Returns at once.
   */
  void latch(String reason) {
    Latched latched;
    synchronized (this) {
      boolean first = marks.latch();
      failures++;
      Latched before = last;
      if (!first && before != null) {
        last = before.after(failures, store.generation());
        store.reopen();
        return;
      }
      Marks now = marks.read();
      latched =
          new Latched(
              now.epoch(),
              failures,
              reason,
              wallClock.instant(),
              store.generation(),
              new FenceMarker.Range(now.durableSeq() + 1, now.appliedSeq()),
              new CompletableFuture<>());
      last = latched;
      count++;
    }
    log.error(
        "The queue is fenced: {}. Hooks are answered 503 until the store has been reopened; {} seqs were never acked.",
        reason,
        Math.max(0, latched.range().to() - latched.range().from() + 1));
    if (latched.range().isEmpty()) {
      latched.marked().complete(null);
    } else {
      try {
        markerThread.execute(() -> mark(latched));
      } catch (RejectedExecutionException e) {
        // Only when the process is ending. Whoever waits for the marker must not wait for ever.
        log.warn("The marker FENCED is not written any more: {}.", e.toString());
        latched.marked().complete(null);
      }
    }
    store.reopen();
    whenLatched.run();
  }

  /**
   * For one whose write or sync failed in that epoch: the store has latched for him, unless it was
   * not even open.
   */
  void latchIfStillIn(long epoch, String reason) {
    Marks now = marks.read();
    if (!now.fenced() && now.epoch() == epoch) {
      latch(reason);
    }
  }

  /**
   * Opens the fence: every seq up to {@code seq} is settled.
   *
   * @param settled what the clean-up was made after
   * @return false if something has failed since, and it has to be cleaned up again
   */
  synchronized boolean open(Latched settled, long seq, long at) {
    return settled.equals(last) && marks.resume(settled.epoch(), seq, at);
  }

  private void mark(Latched latched) {
    try {
      marker.write(latched.range());
    } catch (StoreException | RuntimeException e) {
      log.warn(
          "The marker FENCED could not be written: {}. If the process is killed before the store is clean, hooks answered 503 may be delivered.",
          e.toString());
    } finally {
      latched.marked().complete(null);
    }
  }

  /**
   * Waits until the marker of the last fence is on disk, for a bounded time. Before any answer to
   * what was applied.
   */
  void awaitMarker() {
    Latched latched = last();
    if (latched == null) {
      return;
    }
    try {
      latched.marked().get(MARKER_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      log.warn(
          "The marker FENCED is not on disk after {} s; answering without it.",
          MARKER_WAIT_SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the marker's future never fails", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Removes the marker after a clean-up. Only when its writing has ended. A failure leaves a stale
   * range, which harms nothing.
   */
  void unmark(Latched latched) {
    if (latched.range().isEmpty()) {
      return;
    }
    try {
      marker.clear();
    } catch (StoreException e) {
      log.warn(
          "The marker FENCED could not be removed: {}. Its seqs are gone already.", e.toString());
    }
  }

  /** The last fence, which may be open again. */
  synchronized @Nullable Latched last() {
    return last;
  }

  /** How often it was latched. */
  synchronized long count() {
    return count;
  }
}
