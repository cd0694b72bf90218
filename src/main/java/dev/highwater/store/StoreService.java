package dev.highwater.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the database open, and opens it again after a failure.
 *
 * <p>Threads: any thread takes a lease and works with it on its own; {@code highwater-store} alone
 * closes and reopens, looks at the free disk, and runs the callbacks of {@link #onTick}. Leases
 * cost one compare-and-set each way.
 *
 * <p>Order of a reopening: {@link #reopen} shuts the gate at once, so that no lease is given any
 * more; the store's thread waits for the last lease to be returned, closes the engine, opens a new
 * one, counts the generation, and opens the gate. A closed engine is thus out of everybody's reach
 * before it is closed. While opening fails it is tried again, after 100 ms doubling to 5 s; a disk
 * that is full costs the ballast file first. Nothing but {@link #close} ends that.
 *
 * <p>A failed write, flush or sync is told to the listener before the one who wrote learns of it:
 * the fence is latched whoever wrote. This class does not reopen by itself; the fence asks for it.
 *
 * <p>After a crash at any step: the engine finds in its log what had reached it. Nothing here is
 * remembered beyond the process but the ballast, which may be missing.
 */
public final class StoreService implements Store, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StoreService.class);
  private static final Duration PATIENCE_WITH_LEASES = Duration.ofSeconds(10);
  private static final Duration PATIENCE_WITH_CLOSING = Duration.ofSeconds(30);

  private final StorageEngine.Factory factory;
  private final StoreSettings settings;
  private final InstantSource clock;
  private final DiskSpace space;
  private final LeaseGate gate = new LeaseGate();
  private final List<Runnable> ticks = new CopyOnWriteArrayList<>();
  private final Map<FailureKind, LongAdder> writeFailures = new EnumMap<>(FailureKind.class);
  private final LongAdder reopens = new LongAdder();
  private final LongAdder failedReopens = new LongAdder();

  /** Who holds a lease; kept only where assertions are on, to catch a second one taken inside. */
  private final @Nullable Set<Thread> holders =
      StoreService.class.desiredAssertionStatus() ? ConcurrentHashMap.newKeySet() : null;

  private volatile @Nullable StorageEngine engine;
  private volatile long generation;
  private volatile long lastWriteAt;
  private volatile EngineStats engineStats = EngineStats.NONE;
  private volatile @Nullable Consumer<StoreException> listener;
  private volatile @Nullable FailureKind lastFailure;
  private volatile long failedGeneration;
  private @Nullable Thread thread;

  /** Set by {@link #start}, before the store's thread is there. */
  private StorageEngine.Hold directoryHold = () -> {};

  // Of the store's thread alone, once it runs.
  private long lastOpened;
  private long nextAttempt;
  private Duration backoff;
  private long shutSince;
  private boolean shutSeen;

  public StoreService(StorageEngine.Factory factory, StoreSettings settings, InstantSource clock) {
    this(factory, settings, clock, directory -> Files.getFileStore(directory).getUsableSpace());
  }

  StoreService(
      StorageEngine.Factory factory,
      StoreSettings settings,
      InstantSource clock,
      DiskSpace.Probe freeDisk) {
    this.factory = factory;
    this.settings = settings;
    this.clock = clock;
    this.space = new DiskSpace(settings, freeDisk);
    this.backoff = settings.reopenBackoff();
    for (var kind : FailureKind.values()) {
      writeFailures.put(kind, new LongAdder());
    }
  }

  /**
   * Opens the store.
   *
   * @throws StoreException if it cannot be opened; the message is one line for the operator
   */
  public synchronized void start() throws StoreException {
    if (thread != null || gate.isClosed()) {
      throw new IllegalStateException("the store was started before");
    }
    Path directory = settings.directory();
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new StoreException("cannot create the data directory " + directory + ": " + e, e);
    }
    directoryHold = factory.hold();
    boolean opened = false;
    try {
      space.check();
      openEngine();
      opened = true;
    } finally {
      if (!opened) {
        directoryHold.release();
      }
    }
    var runner = Thread.ofPlatform().name("highwater-store").daemon(false).unstarted(this::run);
    gate.keeper(runner);
    thread = runner;
    gate.open();
    runner.start();
  }

  /**
   * Refuses leases, waits for all of them to be returned, and closes the engine. Waits for a
   * bounded time: a lease whose holder hangs in the disk must not keep the process from ending, and
   * an engine in use is not closed. What is left open then is what a killed process leaves.
   */
  @Override
  public void close() {
    close(PATIENCE_WITH_CLOSING);
  }

  void close(Duration patience) {
    Thread runner;
    synchronized (this) {
      gate.close();
      runner = thread;
    }
    if (runner == null) {
      return;
    }
    long end = System.nanoTime() + patience.toNanos();
    boolean interrupted = false;
    while (true) {
      try {
        if (!runner.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
          log.error(
              "The store could not be closed within {}: {} leases are out. It is left as it is; the"
                  + " next start finds in the log what was acknowledged.",
              patience,
              gate.inside());
        }
        break;
      } catch (InterruptedException e) {
        // Leaving now would leave the database open: finish, and tell the caller afterwards.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public StoreLease lease() throws StoreUnavailableException {
    if (holders != null && holders.contains(Thread.currentThread())) {
      throw new IllegalStateException(
          "this thread holds a lease; a second one could wait for a reopening that waits for the"
              + " first");
    }
    if (!gate.tryEnter()) {
      throw new StoreUnavailableException(
          gate.isClosed() ? "the store is closed" : "the store is being reopened");
    }
    var open = engine;
    if (open == null) {
      gate.leave();
      throw new IllegalStateException("the gate is open and there is no engine");
    }
    if (holders != null) {
      holders.add(Thread.currentThread());
    }
    return new Lease(this, open);
  }

  void returned(Thread holder) {
    if (holders != null) {
      holders.remove(holder);
    }
    gate.leave();
  }

  @Override
  public void onWriteFailure(Consumer<StoreException> newListener) {
    if (listener != null) {
      throw new IllegalStateException("somebody listens to write failures already");
    }
    listener = newListener;
  }

  @Override
  public void onTick(Runnable callback) {
    ticks.add(callback);
  }

  void written() {
    lastWriteAt = clock.millis();
  }

  void writeFailed(StoreException failure) {
    var kind = FailureKind.of(failure);
    failuresOf(kind).increment();
    lastFailure = kind;
    log.error("A write or sync failed: {}", failure.getMessage());
    var told = listener;
    if (told != null) {
      failedGeneration = generation;
      try {
        told.accept(failure);
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
    }
  }

  @Override
  public void reopen() {
    gate.shut();
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public boolean isOpen() {
    return gate.isOpen();
  }

  @Override
  public boolean hasRoom() {
    return space.hasRoom();
  }

  /** The store's numbers; never waits, and reads nothing from the database. */
  public StoreStats stats() {
    Map<FailureKind, Long> failures = new EnumMap<>(FailureKind.class);
    writeFailures.forEach((kind, count) -> failures.put(kind, count.sum()));
    boolean open = gate.isOpen();
    return new StoreStats(
        generation,
        open,
        gate.inside(),
        reopens.sum(),
        failedReopens.sum(),
        Map.copyOf(failures),
        lastWriteAt,
        space.freeBytes(),
        space.hasRoom(),
        open ? engineStats : EngineStats.NONE);
  }

  private LongAdder failuresOf(FailureKind kind) {
    var counter = writeFailures.get(kind);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + kind);
    }
    return counter;
  }

  private void run() {
    long nextTick = System.nanoTime();
    while (true) {
      boolean drained = !gate.isOpen() && gate.inside() == 0;
      if (drained && gate.isClosed()) {
        closeEngine();
        guarded(directoryHold::release);
        return;
      }
      long now = System.nanoTime();
      noteShutting(now);
      if (drained && now - nextAttempt >= 0) {
        guarded(this::reopenEngine);
      }
      now = System.nanoTime();
      if (now - nextTick >= 0) {
        guarded(this::tick);
        nextTick = System.nanoTime() + settings.tick().toNanos();
      }
      long until = drained && !gate.isOpen() ? Math.min(nextTick, nextAttempt) : nextTick;
      LockSupport.parkNanos(this, Math.max(1, until - System.nanoTime()));
    }
  }

  /** This thread is the only one that can bring the store back: nothing may end it. */
  private static void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      log.error("The store's thread met a bug and goes on", e);
    }
  }

  private void noteShutting(long now) {
    if (gate.isOpen()) {
      shutSeen = false;
    } else if (!shutSeen) {
      shutSeen = true;
      shutSince = now;
      nextAttempt = Math.max(now, lastOpened + settings.reopenMinInterval().toNanos());
    } else if (gate.inside() > 0 && now - shutSince > PATIENCE_WITH_LEASES.toNanos()) {
      shutSince = now;
      log.warn("The store waits for {} leases to be returned", gate.inside());
    }
  }

  private void reopenEngine() {
    closeEngine();
    if (lastFailure == FailureKind.NO_SPACE) {
      space.releaseBallast();
    }
    try {
      openEngine();
    } catch (StoreException e) {
      failedReopens.increment();
      nextAttempt = System.nanoTime() + backoff.toNanos();
      log.warn("Cannot reopen the store, next try in {}: {}", backoff, e.getMessage());
      var doubled = backoff.multipliedBy(2);
      backoff =
          doubled.compareTo(settings.reopenBackoffMax()) < 0
              ? doubled
              : settings.reopenBackoffMax();
      return;
    }
    reopens.increment();
    backoff = settings.reopenBackoff();
    shutSeen = false;
    log.info("Reopened the store, generation {}", generation);
    gate.open();
  }

  private void openEngine() throws StoreException {
    StorageEngine opened;
    try {
      opened = openOnce();
    } catch (StoreException e) {
      if (FailureKind.of(e) != FailureKind.NO_SPACE || !space.releaseBallast()) {
        throw e;
      }
      opened = openOnce();
    }
    engine = opened;
    lastFailure = null;
    lastOpened = System.nanoTime();
    long next = generation + 1;
    generation = next;
  }

  private StorageEngine openOnce() throws StoreException {
    try {
      return factory.open();
    } catch (RuntimeException | Error e) {
      throw new StoreException("cannot open the store: " + e, e);
    }
  }

  private void closeEngine() {
    var closing = engine;
    engine = null;
    engineStats = EngineStats.NONE;
    if (closing == null) {
      return;
    }
    try {
      closing.close();
    } catch (StoreException e) {
      // It is closed all the same; what was written is in the log, and the next opening reads it.
      log.warn("Closing the store reported: {}", e.getMessage());
    }
  }

  private void tick() {
    space.check();
    if (gate.tryEnter()) {
      try {
        lookAtEngine();
      } finally {
        gate.leave();
      }
    }
    for (var callback : ticks) {
      guarded(callback);
    }
  }

  private void lookAtEngine() {
    var open = engine;
    if (open == null) {
      return;
    }
    engineStats = open.stats();
    String background = open.backgroundError();
    if (background != null && failedGeneration != generation) {
      writeFailed(new StoreException("a flush or compaction failed: " + background));
    }
  }
}
