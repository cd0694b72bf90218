package dev.highwater.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.highwater.codec.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What {@link DiskFaultTest} runs in children whose system calls it makes fail. */
final class DiskFaultScenarios {
  private final DiskFault fault = DiskFault.ofThisProcess();
  private final StoreSettings settings;

  private DiskFaultScenarios(Path directory) {
    settings = TestStores.settings(directory);
  }

  public static void main(String[] arguments) throws Exception {
    var scenarios = new DiskFaultScenarios(Path.of(arguments[1]));
    switch (arguments[0]) {
      case "slow-sync" -> scenarios.writesGoOnDuringASlowSync();
      case "failed-sync" -> scenarios.aFailedSyncStaysFailed(DiskFault.EIO);
      case "full-disk" -> scenarios.aFailedSyncStaysFailed(DiskFault.ENOSPC);
      case "failed-write" -> scenarios.aFailedWriteStaysFailed();
      case "full-disk-recovers" -> scenarios.aFullDiskRecoversByItself();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("passed " + arguments[0]);
  }

  private void writesGoOnDuringASlowSync() throws Exception {
    var engine = RocksEngine.factory(settings).open();
    engine.write(TestStores.group(1, 0, 1000), false);
    fault.delay("fdatasync", ".log", 2000, 1);
    var sync =
        CompletableFuture.supplyAsync(
            () -> {
              long began = System.nanoTime();
              try {
                engine.syncWal();
              } catch (StoreException e) {
                throw new IllegalStateException(e);
              }
              return Duration.ofNanos(System.nanoTime() - began);
            });
    await().pollInterval(Duration.ofMillis(5)).until(() -> !fault.struck().isEmpty());
    int written = 0;
    for (int seq = 2; seq <= 200; seq++) {
      engine.write(TestStores.group(seq, 0, 1000), false);
      assertThat(engine.get(Family.HOOKS, Keys.hook(seq))).isNotNull();
      written++;
    }
    assertThat(sync).as("199 writes were applied while one sync ran").isNotDone();
    assertThat(written).isEqualTo(199);
    assertThat(sync.get(20, TimeUnit.SECONDS)).isGreaterThan(Duration.ofMillis(1900));
    engine.close();
  }

  private void aFailedSyncStaysFailed(int errno) throws Exception {
    var factory = RocksEngine.factory(settings);
    var engine = factory.open();
    engine.write(TestStores.group(1, 0, 1000), false);
    engine.syncWal();
    engine.write(TestStores.group(2, 1, 1000), false);
    fault.fail("fdatasync", ".log", errno, 1);
    assertThatThrownBy(engine::syncWal)
        .isInstanceOf(StoreException.class)
        .satisfies(
            e ->
                assertThat(FailureKind.of((StoreException) e))
                    .isEqualTo(errno == DiskFault.EIO ? FailureKind.IO : FailureKind.NO_SPACE));
    // The disk is well again, and RocksDB gets seconds to think so too.
    assertThat(fault.struck()).hasSize(1);
    await()
        .during(Duration.ofSeconds(3))
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () -> {
              assertThatThrownBy(engine::syncWal).isInstanceOf(StoreException.class);
              var batch = TestStores.group(3, 1, 10);
              assertThatThrownBy(() -> engine.write(batch, false))
                  .isInstanceOf(StoreException.class);
              assertThatThrownBy(() -> engine.write(batch, true))
                  .isInstanceOf(StoreException.class);
            });
    assertThat(engine.get(Family.HOOKS, Keys.hook(1))).as("reads go on").isNotNull();
    try {
      engine.close();
    } catch (StoreException e) {
      System.out.println("closing said: " + e.getMessage());
    }

    var after = factory.open();
    assertThat(after.get(Family.HOOKS, Keys.hook(1))).isNotNull();
    assertThat(after.get(Family.HOOKS, Keys.hook(2)))
        .as("rows of a failed sync come back; the clean-up is for the queue")
        .isNotNull();
    assertThat(after.get(Family.HOOKS, Keys.hook(3))).isNull();
    after.write(TestStores.group(4, 1, 10), false);
    after.syncWal();
    after.close();
  }

  private void aFailedWriteStaysFailed() throws Exception {
    var factory = RocksEngine.factory(settings);
    var engine = factory.open();
    engine.write(TestStores.group(1, 0, 1000), false);
    engine.syncWal();
    fault.fail("write", ".log", DiskFault.ENOSPC, 1);
    assertThatThrownBy(() -> engine.write(TestStores.group(2, 1, 1000), false))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> engine.write(TestStores.group(3, 1, 1000), false))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(engine::syncWal).isInstanceOf(StoreException.class);
    try {
      engine.close();
    } catch (StoreException e) {
      System.out.println("closing said: " + e.getMessage());
    }
    var after = factory.open();
    assertThat(after.get(Family.HOOKS, Keys.hook(1))).isNotNull();
    assertThat(after.get(Family.HOOKS, Keys.hook(3))).isNull();
    after.close();
  }

  private void aFullDiskRecoversByItself() throws Exception {
    var store = new StoreService(RocksEngine.factory(settings), settings, InstantSource.system());
    store.onWriteFailure(e -> store.reopen());
    store.start();
    fault.rules("fdatasync /db/ errno 28 -1", "write /db/ errno 28 -1", "pwrite /db/ errno 28 -1");
    try (var lease = store.lease()) {
      assertThatThrownBy(() -> lease.writeSynced(TestStores.group(1, 0, 100)))
          .isInstanceOf(StoreException.class);
    }
    await().atMost(Duration.ofSeconds(20)).until(() -> store.stats().failedReopens() >= 3);
    assertThat(store.isOpen()).isFalse();
    fault.heal();
    await().atMost(Duration.ofSeconds(10)).until(store::isOpen);
    try (var lease = store.lease()) {
      lease.writeSynced(TestStores.group(2, 0, 100));
    }
    store.close();
  }
}
