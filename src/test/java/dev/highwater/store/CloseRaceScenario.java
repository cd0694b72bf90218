package dev.highwater.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.codec.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The child of {@link CloseRaceTest}: readers, scans, a writer and a syncer at work while the store
 * is reopened under them, and closed and started anew. A use after a close would end the process.
 */
final class CloseRaceScenario {
  private static final int READERS = 8;
  private static final int ROWS = 200;
  private static final int REOPENINGS_OF_A_STORE = 10;

  private final StoreSettings settings;
  private final AtomicLong done = new AtomicLong();
  private volatile boolean stopping;
  private volatile StoreService store;

  private CloseRaceScenario(Path directory) throws StoreException {
    settings = TestStores.settings(directory);
    store = started();
  }

  /** Takes the data directory, the number of cycles and a seed. */
  public static void main(String[] arguments) throws Exception {
    new CloseRaceScenario(Path.of(arguments[0]))
        .run(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
  }

  private interface Work {
    void with(StoreLease lease, SplittableRandom random) throws StoreException;
  }

  private StoreService started() throws StoreException {
    var started = new StoreService(RocksEngine.factory(settings), settings, InstantSource.system());
    started.start();
    return started;
  }

  private void run(int cycles, long seed) throws Exception {
    try (var lease = store.lease()) {
      for (int seq = 1; seq <= ROWS; seq++) {
        lease.write(TestStores.group(seq, 0, 100));
      }
    }
    var random = new SplittableRandom(seed);
    List<CompletableFuture<Void>> workers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      workers.add(worker(i % 2 == 0 ? CloseRaceScenario::look : CloseRaceScenario::scan, random));
    }
    workers.add(
        worker(
            (lease, any) -> lease.write(TestStores.group(ROWS + 1 + any.nextInt(50), 0, 100)),
            random));
    workers.add(worker((lease, any) -> lease.syncWal(), random));
    for (int cycle = 1; cycle <= cycles; cycle++) {
      long before = done.get();
      await().pollInterval(Duration.ofMillis(1)).until(() -> done.get() > before + 20);
      LockSupport.parkNanos(random.nextInt(2_000_000));
      if (cycle % REOPENINGS_OF_A_STORE == 0) {
        store.close();
        store = started();
      } else {
        long generation = store.generation();
        store.reopen();
        await()
            .atMost(Duration.ofSeconds(30))
            .pollInterval(Duration.ofMillis(1))
            .until(() -> store.generation() > generation && store.isOpen());
      }
    }
    stopping = true;
    for (var worker : workers) {
      worker.get(30, TimeUnit.SECONDS);
    }
    store.close();
    assertThat(store.stats().leases()).isZero();
    System.out.println("passed " + cycles + " cycles, " + done + " pieces of work");
  }

  private CompletableFuture<Void> worker(Work work, SplittableRandom seed) {
    var random = seed.split();
    return CompletableFuture.runAsync(
        () -> {
          while (!stopping) {
            try (var lease = store.lease()) {
              work.with(lease, random);
              done.incrementAndGet();
            } catch (StoreUnavailableException e) {
              LockSupport.parkNanos(200_000);
            } catch (StoreException e) {
              throw new AssertionError(e);
            }
          }
        },
        runner -> Thread.ofPlatform().start(runner));
  }

  private static void look(StoreLease lease, SplittableRandom random) throws StoreException {
    assertThat(lease.get(Family.HOOKS, Keys.hook(1 + random.nextInt(ROWS)))).isNotNull();
    assertThat(lease.multiGet(Family.HOOKS, List.of(Keys.hook(1), Keys.hook(ROWS))))
        .doesNotContainNull();
  }

  private static void scan(StoreLease lease, SplittableRandom random) throws StoreException {
    var direction =
        random.nextBoolean() ? StorageEngine.Direction.FORWARD : StorageEngine.Direction.BACKWARD;
    try (var cursor = lease.scan(Family.HOOKS, Keys.hook(1), Keys.hook(ROWS + 1), direction)) {
      int most = random.nextInt(1, 2 * ROWS);
      int rows = 0;
      while (rows < most && cursor.next()) {
        rows++;
      }
      assertThat(rows).isEqualTo(Math.min(most, ROWS));
    }
  }
}
