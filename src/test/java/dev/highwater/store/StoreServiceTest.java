package dev.highwater.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreServiceTest {
  private static final long MIB = 1024 * 1024;
  private static final byte[] KEY = TestStores.bytes("key");

  @TempDir Path directory;
  private final SimulatedEngine.Disk memory = new SimulatedEngine.Disk();
  private final ControlledDisk disk = new ControlledDisk(memory);
  private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(77));
  private final AtomicLong freeBytes = new AtomicLong(1000 * MIB);
  private final List<StoreException> reported = new CopyOnWriteArrayList<>();
  private StoreService store;

  @BeforeEach
  void prepare() {
    store = service(TestStores.settings(directory));
  }

  @AfterEach
  void nothingWasUsedAfterItsClosing() throws Exception {
    // A test that failed may have left a lease out; it must not hang the others.
    CompletableFuture.runAsync(store::close).get(20, SECONDS);
    assertThat(memory.usesAfterClose()).isZero();
  }

  private StoreService service(StoreSettings settings) {
    var service = new StoreService(disk, settings, clock, where -> freeBytes.get());
    service.onWriteFailure(reported::add);
    return service;
  }

  @Test
  void whatWasWrittenUnderALeaseIsReadUnderTheNext() throws Exception {
    store.start();
    write();
    try (var lease = store.lease()) {
      assertThat(lease.get(Family.HOOKS, KEY)).isEqualTo(KEY);
      assertThat(lease.multiGet(Family.HOOKS, List.of(KEY, TestStores.bytes("no"))))
          .containsExactly(KEY, null);
    }
    assertThat(store.stats().lastWriteAt()).isEqualTo(77);
    assertThat(store.generation()).isEqualTo(1);
  }

  @Test
  void leasesAreRefusedFromTheMomentAReopeningIsAskedFor() throws Exception {
    store.start();
    var held = store.lease();
    store.reopen();
    assertThat(store.isOpen()).isFalse();
    assertThatThrownBy(() -> elsewhere(store::lease))
        .hasCauseInstanceOf(StoreUnavailableException.class);
    held.write(put());
    assertThat(disk.closes()).as("the lease that is out keeps the engine open").isZero();
    held.close();
    await().until(store::isOpen);
    assertThat(disk.closes()).isEqualTo(1);
    assertThat(store.generation()).isEqualTo(2);
  }

  @Test
  void aReopeningAskedForTwiceHappensOnce() throws Exception {
    store.start();
    var held = store.lease();
    store.reopen();
    store.reopen();
    held.close();
    await().until(store::isOpen);
    assertThat(disk.opens()).isEqualTo(2);
    assertThat(store.stats().reopens()).isEqualTo(1);
  }

  @Test
  void twoReopeningsAreNotCloserThanTheInterval() throws Exception {
    var interval = Duration.ofMillis(300);
    store =
        service(
            TestSettings.in(directory)
                .tick(Duration.ofMillis(10))
                .reopenMinInterval(interval)
                .build());
    long began = System.nanoTime();
    store.start();
    for (int i = 2; i <= 3; i++) {
      long generation = i;
      store.reopen();
      await().until(() -> store.generation() == generation && store.isOpen());
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(interval.multipliedBy(2));
  }

  @Test
  void reopeningIsTriedUntilItWorks() throws Exception {
    store.start();
    write();
    disk.failOpensUntilHealed();
    store.reopen();
    await().until(() -> disk.openAttempts() > 5);
    assertThat(store.isOpen()).isFalse();
    assertThat(store.stats().failedReopens()).isGreaterThan(3);
    disk.heal();
    await().until(store::isOpen);
    try (var lease = store.lease()) {
      assertThat(lease.get(Family.HOOKS, KEY)).isEqualTo(KEY);
    }
  }

  @Test
  void aFailureIsToldToTheListenerOnTheThreadThatWroteBeforeItIsThrown() throws Exception {
    var told = new CopyOnWriteArrayList<Thread>();
    store = new StoreService(disk, TestStores.settings(directory), clock, where -> MIB);
    store.onWriteFailure(e -> told.add(Thread.currentThread()));
    store.start();
    disk.failNextSync("Input/output error");
    try (var lease = store.lease()) {
      lease.write(put());
      assertThatThrownBy(lease::syncWal).hasMessageContaining("Input/output error");
      assertThat(told).containsExactly(Thread.currentThread());
      assertThatThrownBy(() -> lease.write(put())).isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> lease.writeSynced(put())).isInstanceOf(StoreException.class);
    }
    assertThat(told).hasSize(3);
    assertThat(store.stats().writeFailures()).containsEntry(FailureKind.IO, 3L);
    assertThat(store.isOpen()).as("the fence decides when to reopen").isTrue();
  }

  @Test
  void aRefusedLeaseAndAFailedReadAreNoWriteFailures() throws Exception {
    store.start();
    disk.failNextRead("Input/output error");
    try (var lease = store.lease()) {
      assertThatThrownBy(() -> lease.get(Family.HOOKS, KEY)).isInstanceOf(StoreException.class);
    }
    store.close();
    assertThatThrownBy(store::lease).isInstanceOf(StoreUnavailableException.class);
    assertThat(reported).isEmpty();
  }

  @Test
  void anUnexpectedExceptionOfTheEngineIsAFailedWriteToo() throws Exception {
    StorageEngine.Factory broken =
        () ->
            new ForwardingEngine(disk.open()) {
              @Override
              public void syncWal() {
                throw new IllegalArgumentException("a bug");
              }
            };
    store = new StoreService(broken, TestStores.settings(directory), clock, where -> MIB);
    store.onWriteFailure(reported::add);
    store.start();
    try (var lease = store.lease()) {
      assertThatThrownBy(lease::syncWal)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("a bug");
    }
    assertThat(reported).hasSize(1);
  }

  @Test
  void aListenerThatThrowsDoesNotHideTheFailure() throws Exception {
    store = new StoreService(disk, TestStores.settings(directory), clock, where -> MIB);
    store.onWriteFailure(
        e -> {
          throw new IllegalStateException("a bug in the listener");
        });
    store.start();
    disk.failNextWrite(false);
    try (var lease = store.lease()) {
      assertThatThrownBy(() -> lease.write(put()))
          .isInstanceOf(StoreException.class)
          .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }
  }

  @Test
  void aFailureInTheBackgroundIsToldOnceOnTheStoresThread() throws Exception {
    var broken = new AtomicInteger();
    StorageEngine.Factory factory =
        () ->
            new ForwardingEngine(disk.open()) {
              @Override
              public String backgroundError() {
                broken.incrementAndGet();
                return "FLUSH: IOError(NoSpace)";
              }
            };
    var threads = new CopyOnWriteArrayList<String>();
    store = new StoreService(factory, TestStores.settings(directory), clock, where -> MIB);
    store.onWriteFailure(e -> threads.add(Thread.currentThread().getName()));
    store.start();
    await().until(() -> broken.get() > 3);
    assertThat(threads).containsExactly("highwater-store");
    store.reopen();
    await().untilAsserted(() -> assertThat(threads).hasSize(2));
  }

  @Test
  void aFailureInTheBackgroundBeforeAnybodyListensIsToldLater() throws Exception {
    var looks = new AtomicInteger();
    StorageEngine.Factory factory =
        () ->
            new ForwardingEngine(disk.open()) {
              @Override
              public String backgroundError() {
                looks.incrementAndGet();
                return "FLUSH: IOError(NoSpace)";
              }
            };
    store = new StoreService(factory, TestStores.settings(directory), clock, where -> MIB);
    store.start();
    await().until(() -> looks.get() > 2);
    store.onWriteFailure(reported::add);
    await().untilAsserted(() -> assertThat(reported).hasSize(1));
  }

  @Test
  void aClosingDoesNotWaitForEverForALeaseThatADiskHolds() throws Exception {
    store.start();
    var held = store.lease();
    CompletableFuture.runAsync(() -> store.close(Duration.ofMillis(50))).get(10, SECONDS);
    assertThat(disk.closes()).as("an engine in use is never closed").isZero();
    held.close();
    await().until(() -> disk.closes() == 1);
  }

  @Test
  void anErrorOfAnOpeningWaitsForTheNextLikeAnException() throws Exception {
    var opens = new AtomicInteger();
    StorageEngine.Factory factory =
        () -> {
          if (opens.incrementAndGet() > 1) {
            throw new UnsatisfiedLinkError("no library");
          }
          return disk.open();
        };
    store = new StoreService(factory, TestStores.settings(directory), clock, where -> MIB);
    store.start();
    store.reopen();
    await().until(() -> store.stats().failedReopens() > 2);
    // Waits of 5, 10, 20 ms and so on: without them there would be thousands.
    assertThat(opens.get()).isLessThan(100);
  }

  @Test
  void theDirectoryIsNotGivenUpWhileTheStoreIsReopened() throws Exception {
    StoreSettings settings = TestStores.settings(directory);
    var real = RocksEngine.factory(settings);
    var intruder = new CopyOnWriteArrayList<String>();
    var factory =
        new StorageEngine.Factory() {
          private int opens;

          @Override
          public StorageEngine open() throws StoreException {
            if (++opens == 2) {
              try {
                RocksEngine.factory(settings).open().close();
                intruder.add("was let in");
              } catch (StoreException e) {
                intruder.add(e.getMessage());
              }
            }
            return real.open();
          }

          @Override
          public StorageEngine.Hold hold() throws StoreException {
            return real.hold();
          }
        };
    store = new StoreService(factory, settings, clock, where -> MIB);
    store.start();
    store.reopen();
    await().until(() -> store.generation() == 2);
    assertThat(intruder).hasSize(1).first().asString().contains("in use");
    store.close();
    RocksEngine.factory(settings).open().close();
  }

  @Test
  void aLeaseReturnedTwiceOrUsedAfterwardsIsStoppedInJava() throws Exception {
    store.start();
    var lease = store.lease();
    lease.close();
    assertThatThrownBy(lease::close).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lease.get(Family.HOOKS, KEY))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lease.write(put())).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lease::syncWal).isInstanceOf(IllegalStateException.class);
    assertThat(store.stats().leases()).isZero();
    assertThat(reported).isEmpty();
  }

  @Test
  void aCursorDoesNotOutliveItsLease() throws Exception {
    store.start();
    write();
    var lease = store.lease();
    var cursor =
        lease.scan(
            Family.HOOKS,
            TestStores.bytes("a"),
            TestStores.bytes("z"),
            StorageEngine.Direction.FORWARD);
    assertThat(cursor.next()).isTrue();
    assertThatThrownBy(lease::close).hasMessageContaining("1 cursors were still open");
    assertThat(store.stats().leases()).as("it was returned all the same").isZero();
    assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
    cursor.close();
  }

  @Test
  void aSecondLeaseOnTheSameThreadIsABug() throws Exception {
    store.start();
    try (var lease = store.lease()) {
      assertThat(lease.get(Family.HOOKS, KEY)).isNull();
      assertThatThrownBy(store::lease).isInstanceOf(IllegalStateException.class);
      assertThat(elsewhere(store::lease)).isNotNull().satisfies(StoreLease::close);
    }
    store.lease().close();
  }

  @Test
  void closingWaitsForTheLastLease() throws Exception {
    store.start();
    var held = store.lease();
    var closing = CompletableFuture.runAsync(store::close);
    await().until(() -> !store.isOpen());
    assertThat(closing).isNotDone();
    held.write(put());
    held.close();
    closing.get(10, SECONDS);
    assertThat(disk.closes()).isEqualTo(1);
    store.close();
    assertThat(disk.closes()).as("closing twice closes once").isEqualTo(1);
    assertThatThrownBy(store::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closingEndsAReopeningThatNeverWorks() throws Exception {
    store.start();
    disk.failOpensUntilHealed();
    store.reopen();
    await().until(() -> disk.openAttempts() > 2);
    CompletableFuture.runAsync(store::close).get(10, SECONDS);
    assertThat(disk.closes()).isEqualTo(1);
  }

  @Test
  void aStartThatFailsSaysWhyAndMayBeRepeated() throws Exception {
    disk.failNextOpen("the data directory is in use by another process");
    assertThatThrownBy(store::start).hasMessageContaining("in use by another process");
    assertThatThrownBy(store::lease).isInstanceOf(StoreUnavailableException.class);
    store.start();
    store.lease().close();
  }

  @Test
  void ticksRunOnTheStoresThreadAlsoWhileItIsBeingReopenedAndSurviveABug() throws Exception {
    var ticks = new AtomicInteger();
    store.onTick(
        () -> {
          assertThat(Thread.currentThread().getName()).isEqualTo("highwater-store");
          ticks.incrementAndGet();
          throw new IllegalStateException("a bug in a callback");
        });
    store.start();
    await().until(() -> ticks.get() > 1);
    disk.failOpensUntilHealed();
    store.reopen();
    await().until(() -> disk.openAttempts() > 1);
    int seen = ticks.get();
    await().until(() -> ticks.get() > seen + 2);
  }

  @Test
  void roomEndsBelowTheLimitAndComesBackAQuarterAboveIt() throws Exception {
    store = service(TestSettings.in(directory).space(100 * MIB, 0).build());
    store.start();
    assertThat(store.hasRoom()).isTrue();
    freeBytes.set(99 * MIB);
    await().until(() -> !store.hasRoom());
    freeBytes.set(110 * MIB);
    await().until(() -> store.stats().freeBytes() == 110 * MIB);
    assertThat(store.hasRoom()).isFalse();
    freeBytes.set(126 * MIB);
    await().until(store::hasRoom);
  }

  @Test
  void theBallastIsGivenUpForAReopeningOnAFullDiskAndComesBackWithTheRoom() throws Exception {
    var ballast = directory.resolve("ballast");
    store = service(TestSettings.in(directory).space(100 * MIB, 16 * MIB).build());
    store.start();
    await().until(() -> Files.exists(ballast) && Files.size(ballast) == 16 * MIB);

    freeBytes.set(0);
    await().until(() -> !store.hasRoom());
    disk.failNextOpen("While appending to file: No space left on device");
    store.reopen();
    await().until(store::isOpen);
    assertThat(ballast).doesNotExist();
    assertThat(store.stats().failedReopens()).as("at the same try").isZero();
    assertThat(disk.openAttempts()).isEqualTo(3);

    freeBytes.set(1000 * MIB);
    await().until(() -> Files.exists(ballast) && Files.size(ballast) == 16 * MIB);
  }

  @Test
  void theBallastIsGivenUpBeforeTheReopeningAfterAWriteThatFoundTheDiskFull() throws Exception {
    var ballast = directory.resolve("ballast");
    store = service(TestSettings.in(directory).space(100 * MIB, 16 * MIB).build());
    store.start();
    await().until(() -> Files.exists(ballast));
    freeBytes.set(0);
    await().until(() -> !store.hasRoom());
    disk.failWritesUntilHealed();
    try (var lease = store.lease()) {
      assertThatThrownBy(() -> lease.write(put())).hasMessageContaining("No space left");
    }
    assertThat(store.stats().writeFailures()).containsEntry(FailureKind.NO_SPACE, 1L);
    store.reopen();
    await().until(store::isOpen);
    assertThat(ballast).doesNotExist();
  }

  @Test
  void fiftyReadersNeverMeetAClosedEngine() throws Exception {
    store.start();
    write();
    var stop = new CountDownLatch(1);
    var reads = new AtomicLong();
    var readers =
        IntStream.range(0, 50)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> readUntil(stop, reads), r -> Thread.ofPlatform().start(r)))
            .toList();
    for (int i = 2; i <= 60; i++) {
      long generation = i;
      long before = reads.get();
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> store.isOpen() && reads.get() > before);
      store.reopen();
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> store.generation() == generation && store.isOpen());
    }
    stop.countDown();
    for (var reader : readers) {
      reader.get(20, SECONDS);
    }
    assertThat(disk.opens()).isEqualTo(60);
    assertThat(store.stats().leases()).isZero();
  }

  private void readUntil(CountDownLatch stop, AtomicLong reads) {
    while (stop.getCount() > 0) {
      try (var lease = store.lease()) {
        assertThat(lease.get(Family.HOOKS, KEY)).isEqualTo(KEY);
        reads.incrementAndGet();
      } catch (StoreUnavailableException e) {
        LockSupport.parkNanos(100_000);
      } catch (StoreException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void write() throws StoreException {
    try (var lease = store.lease()) {
      lease.writeSynced(put());
    }
  }

  private static Batch put() {
    var batch = new Batch();
    batch.put(Family.HOOKS, KEY, KEY);
    return batch;
  }

  private interface Taking {
    StoreLease take() throws StoreException;
  }

  private static StoreLease elsewhere(Taking taking) throws Exception {
    return CompletableFuture.supplyAsync(
            () -> {
              try {
                return taking.take();
              } catch (StoreException e) {
                throw new CompletionException(e);
              }
            })
        .get(10, SECONDS);
  }
}
