package dev.highwater.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ControlledDiskTest {
  private final SimulatedEngine.Disk memory = new SimulatedEngine.Disk();
  private final ControlledDisk disk = new ControlledDisk(memory);

  @Test
  void aSyncCoversOnlyWhatWasWrittenBeforeItBegan() throws Exception {
    var engine = disk.open();
    engine.write(put("a"), false);
    disk.holdSyncs();
    var sync = CompletableFuture.runAsync(() -> sync(engine));
    disk.awaitSyncStarted();
    engine.write(put("b"), false);
    assertThat(sync).isNotDone();
    disk.releaseSyncs();
    sync.get(10, TimeUnit.SECONDS);

    assertThat(memory.unsynced()).isEqualTo(1);
    memory.crash(0);

    var after = disk.open();
    assertThat(after.get(Family.HOOKS, key("a"))).isNotNull();
    assertThat(after.get(Family.HOOKS, key("b"))).isNull();
  }

  @Test
  void aFailedSyncKeepsFailingUntilReopenedAndItsRowsComeBack() throws Exception {
    var engine = disk.open();
    disk.failNextSync("Input/output error");
    engine.write(put("a"), false);
    assertThatThrownBy(engine::syncWal).hasMessageContaining("Input/output error");
    assertThatThrownBy(engine::syncWal).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> engine.write(put("b"), false)).isInstanceOf(StoreException.class);
    engine.close();

    var after = disk.open();
    assertThat(after.get(Family.HOOKS, key("a"))).isNotNull();
    after.syncWal();
    assertThat(disk.syncs()).isEqualTo(1);
    assertThat(disk.opens()).isEqualTo(2);
  }

  @Test
  void heldSyncsAreLetThroughOneByOne() throws Exception {
    var engine = disk.open();
    disk.holdSyncs();
    var first = CompletableFuture.runAsync(() -> sync(engine));
    disk.awaitSyncStarted();
    disk.releaseOneSync();
    first.get(10, TimeUnit.SECONDS);
    var second = CompletableFuture.runAsync(() -> sync(engine));
    disk.awaitSyncStarted();
    assertThat(second).isNotDone();
    disk.releaseSyncs();
    second.get(10, TimeUnit.SECONDS);
  }

  @Test
  void aCursorSeesTheMomentItWasOpenedAndFailsWhereItIsToldTo() throws Exception {
    var engine = disk.open();
    engine.write(put("a"), false);
    engine.write(put("b"), false);
    try (var rows =
        engine.scan(Family.HOOKS, key("a"), key("z"), StorageEngine.Direction.BACKWARD)) {
      engine.write(put("c"), false);
      assertThat(rows.next()).isTrue();
      assertThat(rows.key()).isEqualTo(key("b"));
      assertThat(rows.next()).isTrue();
      assertThat(rows.next()).isFalse();
    }
    disk.failNextScanAfter(1);
    try (var rows =
        engine.scan(Family.HOOKS, key("a"), key("z"), StorageEngine.Direction.FORWARD)) {
      assertThat(rows.next()).isTrue();
      assertThatThrownBy(rows::next).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void useAfterCloseIsCounted() throws Exception {
    var engine = disk.open();
    engine.close();
    assertThatThrownBy(engine::syncWal).isInstanceOf(IllegalStateException.class);
    assertThat(memory.usesAfterClose()).isEqualTo(1);
  }

  private static void sync(StorageEngine engine) {
    try {
      engine.syncWal();
    } catch (StoreException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Batch put(String key) {
    var batch = new Batch();
    batch.put(Family.HOOKS, key(key), key(key));
    return batch;
  }

  private static byte[] key(String key) {
    return key.getBytes(US_ASCII);
  }
}
