package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.hook.Answer;
import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;
import dev.highwater.hook.Verification;
import dev.highwater.store.ControlledDisk;
import dev.highwater.store.DurableMarkFile;
import dev.highwater.store.Family;
import dev.highwater.store.SimulatedEngine;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreService;
import dev.highwater.store.TestSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The whole write path over a disk and clocks in the test's hands. */
public final class WritePathRig implements AutoCloseable {
  public static final SourceRef SOURCE = SourceRef.of("github");
  public static final int SINK = 7;

  public final SimulatedEngine.Disk platter;
  public final ControlledDisk disk;
  final Path directory;
  final TestClock clock;
  public final StoreService store;
  final DurableMarks marks;
  final Fence fence;
  final SyncerService syncer;
  public final WriterService writer;
  final IntakeBudget budget;
  public final PenRoom room;
  final StampClock stamps;
  public final QueueInspector inspector;
  final FencedStore repeatable;
  final DurableMarkKeeper keeper;
  final List<String> fullSources = new CopyOnWriteArrayList<>();

  /** Runs on the caller's thread when a hook was let in and is not queued yet. */
  volatile Runnable beforeQueueing = () -> {};

  final List<String> deaths = new CopyOnWriteArrayList<>();
  public final List<String> wakes = new CopyOnWriteArrayList<>();

  /** Calls and duplicates that were answered with success, as the observer was told. */
  final AtomicLong answeredCalls = new AtomicLong();

  final AtomicLong answeredDuplicates = new AtomicLong();
  private final ThreadPoolExecutor writerThread = DedicatedThread.named("highwater-writer", 1);
  private final ThreadPoolExecutor syncerThread = DedicatedThread.named("highwater-syncer", 1);
  private final ThreadPoolExecutor fenceThread = DedicatedThread.named("highwater-fence", 16);
  private final PenProperties penSettings;
  private long ids;

  /**
   * Wall and monotonic clock; the monotonic one runs by itself from where the test has moved it,
   * until it is put to rest.
   */
  static final class TestClock implements InstantSource {
    private volatile Instant wall = Instant.parse("2026-01-01T00:00:00Z");
    private final AtomicLong extraNanos = new AtomicLong();
    private volatile @Nullable Long rests;
    private volatile Runnable asked = () -> {};

    @Override
    public Instant instant() {
      return wall;
    }

    long nanoTime() {
      asked.run();
      Long at = rests;
      return (at == null ? System.nanoTime() : at) + extraNanos.get();
    }

    /** From now on the monotonic clock moves with {@link #passMonotonic} only. */
    void rest() {
      rests = System.nanoTime();
    }

    /** Has something run whenever a thread asks for the monotonic time, on that thread. */
    void whenAsked(Runnable step) {
      asked = step;
    }

    void stepWall(Duration by) {
      wall = wall.plus(by);
    }

    void passMonotonic(Duration by) {
      extraNanos.addAndGet(by.toNanos());
    }
  }

  private WritePathRig(
      SimulatedEngine.Disk platter,
      Path directory,
      TestClock clock,
      QueueProperties settings,
      PenProperties pen,
      boolean acceptLoss)
      throws StoreException {
    this.platter = platter;
    this.disk = new ControlledDisk(platter);
    this.directory = directory;
    this.clock = clock;
    var storeSettings = TestSettings.in(directory).reopenMinInterval(Duration.ofMillis(1)).build();
    this.store = new StoreService(disk, storeSettings, InstantSource.system());
    store.start();
    var marker = new FenceMarker(storeSettings.fenced());
    QueueRecovery.State state;
    try {
      state = QueueRecovery.recover(store, marker, acceptLoss);
    } catch (StoreException e) {
      store.close();
      throw e;
    }
    this.stamps = new StampClock(clock, clock::nanoTime, state.lastAt());
    this.marks = new DurableMarks(state.nextSeq() - 1, state.lastAt());
    this.fence = new Fence(marks, marker, store, fenceThread, clock);
    store.onWriteFailure(failure -> fence.latch(String.valueOf(failure.getMessage())));
    this.budget =
        new IntakeBudget(settings.maxRecords(), settings.maxBytes().toBytes(), () -> false);
    this.room = new PenRoom(pen, settings, false);
    this.penSettings = pen;
    room.count(store);
    var observer =
        new QueueObserver() {
          @Override
          public void answered(int calls, int duplicates, long waitNanos) {
            answeredCalls.addAndGet(calls);
            answeredDuplicates.addAndGet(duplicates);
          }
        };
    this.syncer =
        new SyncerService(
            store,
            marks,
            fence,
            settings.maxRecords() + WriterService.MOST_COMMANDS,
            clock::nanoTime,
            observer,
            death -> deaths.add("syncer"));
    this.writer =
        new WriterService(
            store,
            marks,
            fence,
            syncer,
            stamps,
            source -> {
              beforeQueueing.run();
              return fullSources.contains(source.name());
            },
            room,
            settings,
            clock::nanoTime,
            observer,
            death -> deaths.add("writer"));
    this.inspector = new QueueInspector(marks, fence, writer, syncer, budget, stamps, store);
    this.repeatable = new FencedStore(store, marks);
    this.keeper = new DurableMarkKeeper(marks, new DurableMarkFile(storeSettings.durableMark()));
    syncer.addListener(writer);
    syncer.addListener(
        new DurableListener() {
          @Override
          public void durable(List<DueRows> due, long at) {
            for (DueRows rows : due) {
              wakes.add(rows.sinkId() + "x" + rows.rows() + "(" + rows.bytes() + " bytes)@" + at);
            }
          }

          @Override
          public void resumed() {
            wakes.add("resumed");
          }
        });
  }

  public static WritePathRig fresh(Path directory) throws StoreException {
    return fresh(directory, QueueProperties.defaults());
  }

  static WritePathRig fresh(Path directory, QueueProperties settings) throws StoreException {
    return fresh(directory, settings, PenProperties.defaults());
  }

  public static WritePathRig fresh(Path directory, PenProperties pen) throws StoreException {
    return fresh(directory, QueueProperties.defaults(), pen);
  }

  private static WritePathRig fresh(Path directory, QueueProperties settings, PenProperties pen)
      throws StoreException {
    return new WritePathRig(
            new SimulatedEngine.Disk(), directory, new TestClock(), settings, pen, false)
        .start();
  }

  /** Not started: what is submitted before {@link #start} waits together. */
  public static WritePathRig waiting(Path directory) throws StoreException {
    return new WritePathRig(
        new SimulatedEngine.Disk(),
        directory,
        new TestClock(),
        QueueProperties.defaults(),
        PenProperties.defaults(),
        false);
  }

  /** A new process on the disk and the directory of this one. */
  public WritePathRig restart() throws StoreException {
    return restart(false);
  }

  /** The same, with the wish to go on in spite of damage. */
  WritePathRig restartAcceptingLoss() throws StoreException {
    return restart(true);
  }

  private WritePathRig restart(boolean acceptLoss) throws StoreException {
    var next =
        new WritePathRig(
            platter, directory, clock, QueueProperties.defaults(), penSettings, acceptLoss);
    next.ids = ids;
    return next.start();
  }

  public WritePathRig start() {
    syncer.start(syncerThread);
    writer.start(writerThread);
    return this;
  }

  /** Kills the process and cuts the power: of what no sync has covered, the first batches stay. */
  public void kill(int keepUnsynced) {
    // First, so that the dying process does nothing that a killed one could not have done: write a
    // marker, or open the store again and clean it up.
    fenceThread.shutdownNow();
    disk.failOpensUntilHealed();
    platter.crash(keepUnsynced);
    writerThread.shutdownNow();
    syncerThread.shutdownNow();
    disk.releaseSyncs();
    store.close();
    try {
      // What is left of its threads must not outlive it.
      writer.stop(10, TimeUnit.SECONDS);
      syncer.stop(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** From now on nobody can be given the work of writing a marker. */
  void endFenceThread() {
    fenceThread.shutdownNow();
  }

  public CompletableFuture<Answer> submit(String body) {
    return submit(body, null);
  }

  public CompletableFuture<Answer> submit(String body, @Nullable String key) {
    return submit(content(SOURCE, body, key, "POST"));
  }

  public CompletableFuture<Answer> submit(Hook.Content content) {
    var permit = budget.enter(content.source().tenant());
    if (permit == null || !permit.grow(content.body().length)) {
      throw new IllegalStateException("no room");
    }
    return writer.submit(content, new int[] {SINK}, permit);
  }

  /** A request that failed verification. */
  public CompletableFuture<Answer> quarantine(SourceRef source, String body, Headers headers) {
    var permit = budget.enter(source.tenant());
    if (permit == null || !permit.grow(body.length())) {
      throw new IllegalStateException("no room");
    }
    return writer.quarantine(forged(source, body, headers), "no_match", permit);
  }

  private Hook.Content forged(SourceRef source, String body, Headers headers) {
    return new Hook.Content(
        HookId.of(clock.millis(), 0, ++ids),
        source,
        "POST",
        "/webhooks/" + source.name(),
        headers,
        body.getBytes(StandardCharsets.UTF_8),
        clock.millis(),
        Verification.FAILED,
        "127.0.0.1",
        null);
  }

  /** Records and bytes that have not been answered. */
  public boolean isIdle() {
    return budget.records() == 0 && budget.bytes() == 0;
  }

  public Hook.Content content(SourceRef source, String body, @Nullable String key, String method) {
    return new Hook.Content(
        HookId.of(clock.millis(), 0, ++ids),
        source,
        method,
        "/webhooks/github",
        Headers.of("X-Test", "1"),
        body.getBytes(StandardCharsets.UTF_8),
        clock.millis(),
        Verification.VERIFIED,
        "127.0.0.1",
        key == null
            ? null
            : new DedupeKey(key.getBytes(StandardCharsets.UTF_8), Duration.ofDays(3)));
  }

  public static Answer get(CompletableFuture<Answer> future) {
    assertThat(future).succeedsWithin(Duration.ofSeconds(10));
    return future.join();
  }

  public void awaitApplied(long seq) {
    await().until(() -> marks.read().appliedSeq() >= seq);
  }

  public void awaitOpen() {
    await().until(() -> !marks.read().fenced() && store.isOpen());
  }

  public void awaitFenced() {
    await().until(() -> marks.read().fenced());
  }

  /** The bodies of all hooks in the store, in the order of their seqs. */
  public List<String> bodies() throws StoreException {
    List<String> bodies = new ArrayList<>();
    for (Hook hook : hooks()) {
      bodies.add(new String(hook.content().body(), StandardCharsets.UTF_8));
    }
    return bodies;
  }

  public List<Hook> hooks() throws StoreException {
    return StoredRows.hooks(store);
  }

  /** Every row of a family, so that a test can see that nothing at all is left. */
  public int rows(Family family) throws StoreException {
    return StoredRows.count(store, family);
  }

  @Override
  public void close() {
    disk.heal();
    disk.releaseSyncs();
    try {
      writer.stop(10, TimeUnit.SECONDS);
      syncer.stop(10, TimeUnit.SECONDS);
      keeper.refresh();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      writerThread.shutdownNow();
      syncerThread.shutdownNow();
      fenceThread.shutdownNow();
      store.close();
    }
    assertThat(platter.usesAfterClose()).isZero();
  }
}
