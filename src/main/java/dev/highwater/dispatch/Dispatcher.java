package dev.highwater.dispatch;

import dev.highwater.codec.Keys;
import dev.highwater.queue.DueRows;
import dev.highwater.queue.DurableListener;
import dev.highwater.sink.SinkFactory;
import dev.highwater.source.SourceDirectory;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what is durable. One thread, {@code highwater-dispatch}, decides; attempts run on
 * virtual threads and tell it when they have ended.
 *
 * <p><b>Threads.</b> All state of lanes, turns and budgets belongs to the dispatch thread and is in
 * {@link Scheduler}, which also says in what order it works. Other threads leave a note here and
 * wake it: the syncer what has become durable ({@link #durable}) and that a fence is over ({@link
 * #resumed}), whoever stops the service that it is to stop. It sleeps until one of them, or an
 * attempt that has ended, wakes it, or until the earliest time it knows of: the next due row, the
 * end of a pause after a failure, the end of its patience when stopping. The notes are bounded: one
 * stamp per sink.
 *
 * <p><b>After a crash</b> before an outcome was written and synced, its due row is there again: the
 * delivery is made again, with the same hook id (G14). Nothing says in the store that a delivery is
 * in flight, so nothing has to be cleaned up.
 *
 * <p>Not here yet, and where it would go: a breaker and ordered keys decide in {@link Tenant#take}
 * whether the next row of a lane may start; filters decide in the writer which due rows there are.
 */
public final class Dispatcher implements DurableListener {
  private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

  /** How many rows all lanes read ahead together, and the most and the least one may. */
  private static final int READ_AHEAD = 4096;

  private static final int MOST_PER_LANE = 256;
  private static final int LEAST_PER_LANE = 16;

  /** How long interrupted attempts and unwritten outcomes are waited for. */
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

  private final DispatchProperties bounds;
  private final Store store;
  private final QueuePorts queue;
  private final SinkCatalog catalog;
  private final InstantSource wallClock;
  private final RandomGenerator random;
  private final AttemptObserver observer;
  private final Runnable onFatal;
  private final DispatchStats stats = new DispatchStats();

  private final ConcurrentLinkedQueue<Lane> woken = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean resumed = new AtomicBoolean();
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile Map<Integer, Lane> lanes = Map.of();
  private volatile @Nullable Thread thread;
  private volatile @Nullable Deadline stopping;

  /** When running attempts are interrupted, in the terms of {@link System#nanoTime}. */
  private record Deadline(long nanos) {
    long left(boolean passedOnce) {
      long end = passedOnce ? nanos + LAST_PATIENCE.toNanos() : nanos;
      return Math.max(0, end - System.nanoTime());
    }
  }

  /**
   * Makes one that does nothing yet.
   *
   * @param bounds how much at once
   * @param store to read from
   * @param queue the write path, as far as dispatch may see it
   * @param sources whose sinks are delivered to
   * @param factories one per type of sink
   * @param wallClock for the times of attempts that people read
   * @param random for the jitter of retries; used by one thread
   * @param observer is told of every attempt
   * @param onFatal called when the dispatch thread died of something unexpected: nothing will be
   *     delivered any more in this process
   * @throws IllegalArgumentException if two factories make the same type
   */
  public Dispatcher(
      DispatchProperties bounds,
      Store store,
      QueuePorts queue,
      SourceDirectory sources,
      Collection<SinkFactory> factories,
      InstantSource wallClock,
      RandomGenerator random,
      AttemptObserver observer,
      Runnable onFatal) {
    this.bounds = bounds;
    this.store = store;
    this.queue = queue;
    this.catalog = new SinkCatalog(sources, factories);
    this.wallClock = wallClock;
    this.random = random;
    this.observer = observer;
    this.onFatal = onFatal;
  }

  /**
   * Makes the sinks, counts what waits, and begins to deliver. Called once, after the queue has
   * settled its start and before hooks are taken in: the count is exact only then.
   *
   * @throws IllegalArgumentException if a sink is not configured right
   * @throws StoreException if the due rows cannot be read (G8)
   */
  public void start() throws StoreException {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("a dispatcher starts once");
    }
    catalog.warnOfBodiesAbove(bounds.maxBytes());
    List<Lane> all = catalog.makeLanes(queue.sinkIds());
    Scheduler scheduler;
    try {
      scheduler = open(all);
    } catch (StoreException | RuntimeException e) {
      SinkCatalog.close(all);
      throw e;
    }
    Thread dispatch =
        Thread.ofPlatform().name("highwater-dispatch").unstarted(() -> run(scheduler));
    thread = dispatch;
    dispatch.start();
  }

  private Scheduler open(List<Lane> all) throws StoreException {
    stats.sinks(all.stream().map(Lane::stats).toList());
    // From here on wakes are noted, so nothing that the count does not see is missed.
    lanes = all.stream().collect(Collectors.toUnmodifiableMap(Lane::id, Function.identity()));
    var waiting = Backlog.count(store, queue.marks().get().durableSeq());
    int readAhead = Math.clamp(READ_AHEAD / Math.max(1, all.size()), LEAST_PER_LANE, MOST_PER_LANE);
    var scheduler =
        new Scheduler(
            bounds, readAhead, store, queue, wallClock, random, observer, this::wake, stats);
    for (Lane lane : all) {
      var own = waiting.remove(lane.id());
      lane.floor(own == null ? Lane.END : own.firstAt(), 0);
      if (own != null) {
        lane.stats().addPending(own.rows(), own.bytes());
      }
      scheduler.floorChanged(lane);
    }
    sayWhatIsKept(waiting);
    return scheduler;
  }

  /** Deliveries of sinks that are configured no longer go nowhere else and are not dropped. */
  private void sayWhatIsKept(Map<Integer, Backlog.Waiting> waiting) throws StoreException {
    if (waiting.isEmpty()) {
      return;
    }
    var names = Backlog.names(store);
    long kept = 0;
    for (var entry : waiting.entrySet()) {
      Keys.SinkName name = names.get(entry.getKey());
      long rows = entry.getValue().rows();
      kept += rows;
      log.warn(
          "Sink {} of source {} was removed with {} deliveries waiting: they are kept, and go on"
              + " when a sink of that name is configured for that source again.",
          name == null ? "number " + entry.getKey() : name.sink(),
          name == null ? "(unknown)" : name.source(),
          rows);
    }
    stats.kept(kept);
  }

  /**
   * Stops: starts no attempt any more, gives the running ones {@code patience}, then interrupts
   * them; writes what came of them; closes the sinks. An attempt that was interrupted does not
   * count, its delivery is due at the next start. Returns when that is done, at most a few seconds
   * after {@code patience}. Does nothing when it was not started or has stopped.
   */
  public void stop(Duration patience) {
    Thread dispatch = thread;
    if (dispatch == null || stopping != null) {
      return;
    }
    stopping = new Deadline(System.nanoTime() + patience.toNanos());
    wake();
    try {
      if (!dispatch.join(patience.plus(LAST_PATIENCE.multipliedBy(2)))) {
        log.warn("Delivery has not stopped in time.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it delivers: started, not stopped and not dead. */
  public boolean isRunning() {
    Thread dispatch = thread;
    return dispatch != null && dispatch.isAlive();
  }

  /** How it is doing, live. */
  public DispatchStats stats() {
    return stats;
  }

  @Override
  public void durable(List<DueRows> due, long at) {
    for (DueRows rows : due) {
      Lane lane = lanes.get(rows.sinkId());
      if (lane != null) {
        lane.stats().addPending(rows.rows(), rows.bytes());
        if (lane.wake(at)) {
          woken.add(lane);
        }
      }
    }
    wake();
  }

  @Override
  public void resumed() {
    resumed.set(true);
    wake();
  }

  /** Lets the dispatch thread look again at what there is to do. */
  void wake() {
    LockSupport.unpark(thread);
  }

  private void run(Scheduler scheduler) {
    try {
      deliver(scheduler);
      finish(scheduler);
      log.info("Delivery has stopped.");
    } catch (Throwable t) {
      try {
        log.error("The dispatch thread died. Nothing is delivered any more.", t);
      } finally {
        onFatal.run();
      }
    } finally {
      SinkCatalog.close(lanes.values());
    }
  }

  private void deliver(Scheduler scheduler) {
    while (stopping == null) {
      takeNotes(scheduler);
      if (!scheduler.round(true)) {
        LockSupport.parkNanos(this, scheduler.nanosToSleep(true));
      }
    }
  }

  private void takeNotes(Scheduler scheduler) {
    if (resumed.getAndSet(false)) {
      scheduler.startOver(lanes.values());
    }
    for (Lane lane = woken.poll(); lane != null; lane = woken.poll()) {
      lane.takeWake();
      scheduler.floorChanged(lane);
    }
  }

  private void finish(Scheduler scheduler) {
    Deadline deadline = stopping;
    boolean interrupted = false;
    while (deadline != null) {
      takeNotes(scheduler);
      boolean more = scheduler.round(false);
      if (scheduler.running() == 0 && scheduler.unwritten() == 0) {
        return;
      }
      long left = deadline.left(interrupted);
      if (left == 0 && interrupted) {
        log.warn(
            "Stopping with {} attempts that do not end and {} outcomes that are not written; these"
                + " deliveries are made again.",
            scheduler.running(),
            scheduler.unwritten());
        return;
      }
      if (left == 0) {
        log.warn("Stopping: {} attempts have had their time.", scheduler.running());
        interrupted = true;
        scheduler.interruptAttempts();
      } else if (!more) {
        LockSupport.parkNanos(this, Math.min(left, scheduler.nanosToSleep(false)));
      }
    }
  }
}
