package dev.highwater.queue;

import dev.highwater.hook.Answer;
import dev.highwater.hook.ErrorCode;
import dev.highwater.queue.SyncEntry.Notify;
import dev.highwater.queue.SyncEntry.Reply;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the fsync off the writer's path. The writer applies a group without waiting for the disk
 * and hands over an entry: who is to be answered, and the highest seq the answers depend on. While
 * this thread is in one fsync, the writer applies the next groups; when it returns, everything that
 * has queued meanwhile is covered by the next one. So there are as many fsyncs as the disk allows,
 * and not one per group.
 *
 * <p><b>Threads.</b> One thread, {@code highwater-syncer}, runs {@link #run}; one fsync is in
 * flight at a time, because RocksDB does not merge two. {@link #submit} and {@link #resume} may be
 * called by the writer; both go through the one queue, so a resume is handled after every entry
 * that was queued before it. This thread never waits for the writer.
 *
 * <p><b>Order of effects</b> for the entries one fsync covers: the fsync returns; the mark moves
 * (and is seen by all readers); the listeners are told; the callers are answered. An answer thus
 * never precedes what it promises (G1), and a hook is visible to dispatch at the moment its caller
 * may know of it (G2).
 *
 * <p><b>After a failure</b> the fence is latched before any answer leaves; entries that depend on
 * nothing above the mark succeed, all others are answered with the error; nothing is synced until
 * the writer has settled what was never acked and its resume arrives here (G6). An entry that began
 * in an older epoch never moves the mark.
 *
 * <p><b>After a crash</b> before the fsync: nobody was answered, the rows are there or not. After
 * it: they are there.
 */
public final class SyncerService {
  private static final Logger log = LoggerFactory.getLogger(SyncerService.class);
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private sealed interface Item {}

  private record Entry(SyncEntry entry) implements Item {}

  private record Resume(Fence.Latched settled, long seq, long at) implements Item {}

  private enum Stop implements Item {
    NOW
  }

  private final Store store;
  private final DurableMarks marks;
  private final Fence fence;
  private final LongSupplier nanoTime;
  private final QueueObserver observer;
  private final Consumer<Throwable> onDeath;
  private final BlockingQueue<Item> queue;
  private final List<DurableListener> listeners = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * When the running fsync began, monotonic nanoseconds; 0 while none runs. Written by the syncer's
   * thread.
   */
  private volatile long syncBegan;

  /** See {@link #leastUsualSyncNanos}. Written by the syncer's thread. */
  private volatile long leastUsualSync;

  private final AtomicLong syncs = new AtomicLong();

  /**
   * Makes the syncer; {@link #start} starts it.
   *
   * @param maxEntries more are never queued at once: each holds at least one call, and the calls
   *     are bounded
   * @param onDeath is told when the thread ends by an error: the process must not go on without it
   */
  SyncerService(
      Store store,
      DurableMarks marks,
      Fence fence,
      int maxEntries,
      LongSupplier nanoTime,
      QueueObserver observer,
      Consumer<Throwable> onDeath) {
    this.store = store;
    this.marks = marks;
    this.fence = fence;
    this.nanoTime = nanoTime;
    this.observer = observer;
    this.onDeath = onDeath;
    this.queue = new LinkedBlockingQueue<>(maxEntries + 2);
  }

  /** Starts on the executor, which must have a thread for it alone. */
  void start(Executor executor) {
    executor.execute(this::run);
  }

  /** Adds a listener. Before {@link #start}. */
  void addListener(DurableListener listener) {
    listeners.add(listener);
  }

  /**
   * Queues an entry for the next fsync; it is answered when one has covered it, or when none will.
   */
  void submit(SyncEntry entry) {
    queue.add(new Entry(entry));
  }

  /**
   * Says that every seq up to {@code seq} is settled after that failure: the mark moves there, and
   * the syncer syncs again, unless something else has failed by then.
   */
  void resume(Fence.Latched settled, long seq, long at) {
    queue.add(new Resume(settled, seq, at));
  }

  /**
   * Answers what is queued and ends. After the writer has ended.
   *
   * @return false if it did not end in time
   */
  boolean stop(long timeout, TimeUnit unit) throws InterruptedException {
    queue.add(Stop.NOW);
    return ended.await(timeout, unit);
  }

  /** How long the running fsync has been running, in nanoseconds; 0 while none runs. Any thread. */
  long syncRunningNanos() {
    long began = syncBegan;
    return began == 0 ? 0 : Math.max(1, nanoTime.getAsLong() - began);
  }

  /**
   * What an fsync takes at least, going by the last ones: follows shorter ones at once and longer
   * ones slowly. 0 before the first. In nanoseconds; any thread.
   */
  long leastUsualSyncNanos() {
    return leastUsualSync;
  }

  /** How many fsyncs have ended well. Any thread. */
  long syncs() {
    return syncs.get();
  }

  private void run() {
    try {
      List<Item> items = new ArrayList<>();
      List<SyncEntry> entries = new ArrayList<>();
      boolean running = true;
      while (running) {
        items.clear();
        items.add(queue.take());
        queue.drainTo(items);
        for (Item item : items) {
          switch (item) {
            case Entry(SyncEntry entry) -> entries.add(entry);
            case Resume resume -> {
              settle(entries);
              resume(resume);
            }
            case Stop stop -> running = false;
          }
        }
        settle(entries);
      }
    } catch (Throwable death) {
      log.error("The syncer has died; no answer can be given any more", death);
      onDeath.accept(death);
    } finally {
      ended.countDown();
    }
  }

  /**
   * Makes the entries durable and answers them, or answers them with the error; empties the list.
   */
  private void settle(List<SyncEntry> entries) {
    if (entries.isEmpty()) {
      return;
    }
    Marks before = marks.read();
    long upto = before.durableSeq();
    long at = before.durableAt();
    // What the sync covers had reached the OS before it begins, so the target is taken before, from
    // this epoch's entries only.
    for (SyncEntry entry : entries) {
      if (entry.epoch() == before.epoch() && entry.upto() > upto) {
        upto = entry.upto();
        at = Math.max(at, entry.at());
      }
    }
    if (!before.fenced() && upto > before.durableSeq() && sync(before, entries.size())) {
      // False when a fence was latched while the sync ran: then its success is not believed either.
      marks.markDurable(before.epoch(), upto, at);
    }
    answer(entries);
    entries.clear();
  }

  private boolean sync(Marks before, int entries) {
    long began = nanoTime.getAsLong();
    syncBegan = began;
    try (StoreLease lease = store.lease()) {
      lease.syncWal();
    } catch (StoreException e) {
      // The store has latched the fence if the disk failed; if it was not even open, it is latched
      // here.
      fence.latchIfStillIn(
          before.epoch(), "the write-ahead log cannot be synced: " + e.getMessage());
      return false;
    } finally {
      syncBegan = 0;
    }
    long took = nanoTime.getAsLong() - began;
    syncs.incrementAndGet();
    long usual = leastUsualSync;
    leastUsualSync = usual == 0 || took < usual ? took : usual + (took - usual) / 16;
    observer.synced(took, entries);
    if (took > SLOW_NANOS) {
      log.warn(
          "An fsync of the write-ahead log took {} ms; every answer waits for it.",
          TimeUnit.NANOSECONDS.toMillis(took));
    }
    return true;
  }

  private void answer(List<SyncEntry> entries) {
    Marks now = marks.read();
    for (SyncEntry entry : entries) {
      if (covered(entry, now)) {
        listeners.forEach(listener -> listener.durable(entry.due(), entry.at()));
      }
    }
    boolean marked = false;
    for (SyncEntry entry : entries) {
      if (covered(entry, now)) {
        succeed(entry);
      } else {
        if (!marked) {
          fence.awaitMarker();
          marked = true;
        }
        fail(entry);
      }
    }
  }

  /**
   * While fenced the mark stands where the fence found it, so an entry at or below it holds,
   * whenever it began. Once the fence is open the mark has jumped over what was removed: an entry
   * from before must not be taken for covered.
   */
  private static boolean covered(SyncEntry entry, Marks now) {
    return entry.upto() <= now.durableSeq() && (entry.epoch() == now.epoch() || now.fenced());
  }

  private void succeed(SyncEntry entry) {
    switch (entry.done()) {
      case Reply reply -> {
        reply.succeed();
        observer.answered(
            reply.calls().size(), reply.duplicates(), nanoTime.getAsLong() - entry.writtenAt());
      }
      case Notify(Notify.Target target, Object ref) -> target.durable(ref);
    }
  }

  private void fail(SyncEntry entry) {
    var refused = new Answer.Refused(ErrorCode.STORE_UNAVAILABLE);
    switch (entry.done()) {
      case Reply(List<Ticket> calls, List<Answer> answers) ->
          calls.forEach(
              call -> {
                call.answer(refused);
                observer.refused(ErrorCode.STORE_UNAVAILABLE);
              });
      case Notify(Notify.Target target, Object ref) -> target.failed(ref, refused);
    }
  }

  private void resume(Resume resume) {
    if (!fence.open(resume.settled(), resume.seq(), resume.at())) {
      return;
    }
    log.info("The queue takes hooks again: everything up to seq {} is settled.", resume.seq());
    listeners.forEach(DurableListener::resumed);
  }
}
