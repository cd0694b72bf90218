package dev.highwater.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.highwater.codec.Keys;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WALRecoveryMode;

class RocksEngineTest {
  @TempDir Path directory;

  private StoreSettings settings() {
    return TestStores.settings(directory);
  }

  private StorageEngine open() throws StoreException {
    return RocksEngine.factory(settings()).open();
  }

  @Test
  void aBatchIsAppliedInAllItsFamiliesAndReadBack() throws Exception {
    var engine = open();
    var batch = new Batch();
    for (var family : Family.values()) {
      batch.put(family, TestStores.bytes("a"), TestStores.bytes(family.label()));
      batch.put(family, TestStores.bytes("b"), new byte[70_000]);
      batch.put(family, TestStores.bytes("c"), new byte[0]);
    }
    engine.write(batch, false);
    batch.clear();
    for (var family : Family.values()) {
      batch.delete(family, TestStores.bytes("c"));
      batch.deleteRange(family, TestStores.bytes("b"), TestStores.bytes("bb"));
    }
    engine.write(batch, true);
    engine.close();

    var after = open();
    for (var family : Family.values()) {
      assertThat(
              after.multiGet(
                  family,
                  List.of(TestStores.bytes("c"), TestStores.bytes("a"), TestStores.bytes("b"))))
          .containsExactly(null, TestStores.bytes(family.label()), null);
    }
    assertThat(after.multiGet(Family.HOOKS, List.of())).isEmpty();
    after.close();
  }

  @Test
  void aCursorKeepsItsBoundsInBothDirectionsAndSeesTheMomentItWasOpened() throws Exception {
    var engine = open();
    for (int seq = 1; seq <= 9; seq++) {
      engine.write(TestStores.group(seq, 0, 10), false);
    }
    assertThat(seqs(engine, 3, 7, StorageEngine.Direction.FORWARD)).containsExactly(3L, 4L, 5L, 6L);
    assertThat(seqs(engine, 3, 7, StorageEngine.Direction.BACKWARD))
        .containsExactly(6L, 5L, 4L, 3L);
    assertThat(seqs(engine, 10, 20, StorageEngine.Direction.FORWARD)).isEmpty();
    try (var cursor =
        engine.scan(Family.HOOKS, Keys.hook(8), Keys.hook(20), StorageEngine.Direction.FORWARD)) {
      engine.write(TestStores.group(10, 0, 10), false);
      assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.value()).hasSize(10);
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.next()).as("hook 10 came later").isFalse();
    }
    engine.close();
  }

  private static List<Long> seqs(
      StorageEngine engine, long from, long to, StorageEngine.Direction direction)
      throws StoreException {
    List<Long> seqs = new ArrayList<>();
    try (var cursor = engine.scan(Family.HOOKS, Keys.hook(from), Keys.hook(to), direction)) {
      while (cursor.next()) {
        seqs.add(Keys.seqOfHook(cursor.key()));
      }
    }
    return seqs;
  }

  @Test
  void rocksDbRunsWithTheOptionsItWasGiven() throws Exception {
    var engine = RocksEngine.factory(StoreSettings.defaults(directory)).open();
    try {
      var running = RunningOptions.of(StoreSettings.defaults(directory).database());
      assertThat(running.database("wal_recovery_mode")).isEqualTo("kTolerateCorruptedTailRecords");
      assertThat(running.database("max_bgerror_resume_count")).isEqualTo("0");
      assertThat(running.database("paranoid_checks")).isEqualTo("true");
      assertThat(running.database("recycle_log_file_num")).isEqualTo("0");
      assertThat(running.database("wal_compression")).isEqualTo("kNoCompression");
      assertThat(running.database("track_and_verify_wals_in_manifest")).isEqualTo("false");
      assertThat(running.database("avoid_flush_during_recovery")).isEqualTo("false");
      assertThat(running.database("enable_pipelined_write")).isEqualTo("false");
      assertThat(running.database("two_write_queues")).isEqualTo("false");
      assertThat(running.database("unordered_write")).isEqualTo("false");
      assertThat(running.database("manual_wal_flush")).isEqualTo("false");
      assertThat(running.database("allow_mmap_writes")).isEqualTo("false");
      assertThat(running.database("max_total_wal_size")).isEqualTo("134217728");
      assertThat(running.database("wal_bytes_per_sync")).isEqualTo("1048576");
      assertThat(running.database("bytes_per_sync")).isEqualTo("1048576");
      assertThat(running.database("max_open_files")).isEqualTo("512");
      assertThat(running.database("max_background_jobs")).isEqualTo("2");
      assertThat(running.database("max_log_file_size")).isEqualTo("8388608");
      assertThat(running.database("keep_log_file_num")).isEqualTo("4");
      for (var family : Family.values()) {
        assertThat(running.family(family, "write_buffer_size")).isEqualTo("33554432");
        assertThat(running.family(family, "max_write_buffer_number")).isEqualTo("4");
        assertThat(running.family(family, "compression")).isEqualTo("kLZ4Compression");
        assertThat(running.family(family, "bottommost_compression")).isEqualTo("kZSTD");
        assertThat(running.family(family, "compaction_style")).isEqualTo("kCompactionStyleLevel");
        assertThat(running.family(family, "prefix_extractor")).isEqualTo("nullptr");
        assertThat(running.table(family, "cache_index_and_filter_blocks")).isEqualTo("true");
        assertThat(running.table(family, "filter_policy")).startsWith("bloomfilter:10");
        boolean bodies = family == Family.HOOKS || family == Family.QUARANTINE;
        assertThat(running.family(family, "enable_blob_files")).isEqualTo(String.valueOf(bodies));
        assertThat(running.family(family, "enable_blob_garbage_collection"))
            .isEqualTo(String.valueOf(bodies));
        assertThat(running.family(family, "min_blob_size")).isEqualTo(bodies ? "1024" : "0");
      }
    } finally {
      engine.close();
    }
    assertThat(infoLog(StoreSettings.defaults(directory)))
        .as("what the options file does not say")
        .contains("CompactOnDeletionCollector")
        .containsPattern("Options.write_buffer_manager: 0x[0-9a-f]+");
  }

  private static String infoLog(StoreSettings settings) throws IOException {
    return Files.readString(settings.database().resolve("LOG"), StandardCharsets.UTF_8);
  }

  @Test
  void aDatabaseThatDoesNotRunWithWhatDurabilityRestsOnIsRefused() throws Exception {
    open().close();
    var running = RunningOptions.of(settings().database());
    running.mustHold();
    Path file = settings().database().resolve("OPTIONS-999999");
    Files.writeString(file, "[DBOptions]\n  paranoid_checks=false\n");
    assertThatThrownBy(() -> RunningOptions.of(settings().database()).mustHold())
        .hasMessageContaining(file.toString());
  }

  @Test
  void aSecondOpenerInThisProcessIsRefusedAndTheFirstKeepsItsLock() throws Exception {
    var first = open();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(this::open)
          .isInstanceOf(StoreException.class)
          .hasMessage(
              "the data directory " + directory.toRealPath() + " is in use by this process");
    }
    assertThat(tryInAChild()).contains("is in use by another process");
    first.close();
    open().close();
  }

  @Test
  void aSecondProcessIsRefusedInOneLineThatNamesTheDirectory() throws Exception {
    var child = child();
    try (var said = child.inputReader()) {
      assertThat(said.readLine()).isEqualTo("open");
      assertThatThrownBy(this::open)
          .hasMessage(
              "the data directory " + directory.toRealPath() + " is in use by another process");
      child.getOutputStream().close();
      assertThat(said.readLine()).startsWith("closed");
      assertThat(child.waitFor(20, SECONDS)).isTrue();
    } finally {
      child.destroyForcibly().waitFor();
    }
    open().close();
  }

  private String tryInAChild() throws Exception {
    var child = child();
    try {
      child.getOutputStream().close();
      String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      child.waitFor();
      return said;
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private Process child() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            StoreHolder.class.getName(),
            directory.toString())
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void aNewerFormatIsRefusedNamingBothVersions() throws Exception {
    var engine = open();
    assertThat(engine.get(Family.DEFAULT, Keys.format())).isEqualTo(Keys.number(1));
    var batch = new Batch();
    batch.put(Family.DEFAULT, Keys.format(), Keys.number(7));
    engine.write(batch, true);
    engine.close();
    assertThatThrownBy(this::open)
        .hasMessageContaining("has format 7; this version reads format 1")
        .hasMessageContaining("newer version");
    assertThatThrownBy(this::open).as("it was closed again").hasMessageContaining("has format 7");
  }

  @Test
  void aFormatThatIsMissingOrUnreadableIsRefused() throws Exception {
    var engine = open();
    engine.write(TestStores.group(1, 0, 10), false);
    var batch = new Batch();
    batch.put(Family.DEFAULT, Keys.format(), new byte[3]);
    engine.write(batch, true);
    engine.close();
    assertThatThrownBy(this::open)
        .hasMessageContaining("a marker of")
        .hasMessageContaining("damaged");

    engine =
        RocksOpening.openDatabase(
            settings().database(),
            settings(),
            WALRecoveryMode.TolerateCorruptedTailRecords,
            () -> {});
    batch.clear();
    batch.delete(Family.DEFAULT, Keys.format());
    engine.write(batch, true);
    engine.close();
    assertThatThrownBy(this::open).hasMessageContaining("does not say which format it has");
  }

  @Test
  void aFamilyOfANewerVersionIsRefused() throws Exception {
    open().close();
    try (var options = new Options();
        var db = openRaw(options)) {
      db.createColumnFamily(new ColumnFamilyDescriptor(TestStores.bytes("lanes"))).close();
    }
    assertThatThrownBy(this::open)
        .hasMessageContaining("written by a newer version")
        .hasMessageContaining("lanes");
  }

  private RocksDB openRaw(Options options) throws Exception {
    var families = new ArrayList<ColumnFamilyDescriptor>();
    for (byte[] label : RocksDB.listColumnFamilies(options, settings().database().toString())) {
      families.add(new ColumnFamilyDescriptor(label));
    }
    return RocksDB.open(settings().database().toString(), families, new ArrayList<>());
  }

  @Test
  void aDirectoryThatIsAFileOrCannotBeMadeIsRefusedByName() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> RocksEngine.factory(TestStores.settings(file)).open())
        .hasMessage("the data directory " + file + " is a file");
    Path below = file.resolve("below");
    assertThatThrownBy(() -> RocksEngine.factory(TestStores.settings(below)).open())
        .hasMessageContaining("cannot create the data directory " + below);
    // Nobody, not even root, writes there.
    Path readOnly = Path.of("/proc/self/fdinfo");
    assertThatThrownBy(() -> RocksEngine.factory(TestStores.settings(readOnly)).open())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot write to the data directory ");
  }

  @Test
  void aScanOverADamagedTableIsAnErrorAndNotAShortList() throws Exception {
    var engine = open();
    for (int seq = 1; seq <= 3000; seq++) {
      engine.write(TestStores.group(seq, 0, 600), false);
    }
    engine.close();
    // Opening writes what was in the log to a table.
    open().close();
    Path table;
    try (var files = Files.list(settings().database())) {
      table =
          files
              .filter(file -> file.toString().endsWith(".sst"))
              .max(Comparator.comparingLong(file -> file.toFile().length()))
              .orElseThrow();
    }
    try (var bytes = new RandomAccessFile(table.toFile(), "rw")) {
      long middle = bytes.length() / 2;
      bytes.seek(middle);
      int value = bytes.read();
      bytes.seek(middle);
      bytes.write(value ^ 0xFF);
    }
    var after = open();
    for (var direction : StorageEngine.Direction.values()) {
      assertThatThrownBy(() -> seqs(after, 0, 10_000, direction))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("a scan of hooks failed");
    }
    assertThat(after.get(Family.HOOKS, Keys.hook(1))).as("its neighbours").isNotNull();
    after.close();
  }

  @Test
  void largeBodiesLiveInBlobFilesAndGiveTheirDiskBack() throws Exception {
    var engine = open();
    var random = new Random(3);
    for (int seq = 1; seq <= 300; seq++) {
      var body = new byte[20_000];
      random.nextBytes(body);
      var batch = new Batch();
      batch.put(Family.HOOKS, Keys.hook(seq), body);
      engine.write(batch, false);
    }
    engine.close();
    var after = open();
    assertThat(after.stats().blobBytes()).isGreaterThan(5_000_000);
    assertThat(after.stats().tableBytes()).isLessThan(100_000);
    for (int seq = 1; seq <= 300; seq++) {
      var batch = new Batch();
      batch.delete(Family.HOOKS, Keys.hook(seq));
      after.write(batch, false);
    }
    after.close();
    // The deletions reach a table at the opening, and a file of tombstones compacts itself.
    var last = open();
    await().atMost(Duration.ofSeconds(30)).until(() -> last.stats().blobBytes() < 100_000);
    last.close();
  }

  @Test
  void theDatabaseSpeaksOfItself() throws Exception {
    var engine = open();
    engine.write(TestStores.group(1, 0, 100_000), false);
    var stats = engine.stats();
    assertThat(stats.memtableBytes()).isGreaterThan(100_000);
    assertThat(stats.writeStopped()).isFalse();
    assertThat(stats.backgroundErrors()).isZero();
    assertThat(engine.backgroundError()).isNull();
    engine.close();
    assertThatThrownBy(() -> engine.get(Family.HOOKS, Keys.hook(1)))
        .isInstanceOf(IllegalStateException.class);
    engine.close();
  }

  @Test
  void fiftyReadersSurviveReopenings() throws Exception {
    var store =
        new StoreService(RocksEngine.factory(settings()), settings(), InstantSource.system());
    store.start();
    try (var lease = store.lease()) {
      for (int seq = 1; seq <= 50; seq++) {
        lease.write(TestStores.group(seq, 0, 100));
      }
    }
    var stop = new CountDownLatch(1);
    var reads = new AtomicLong();
    var readers =
        IntStream.range(0, 50)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> readUntil(store, stop, reads), r -> Thread.ofPlatform().start(r)))
            .toList();
    for (int i = 2; i <= 10; i++) {
      long generation = i;
      long before = reads.get();
      await().pollInterval(Duration.ofMillis(2)).until(() -> reads.get() > before + 10);
      store.reopen();
      await()
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofMillis(2))
          .until(() -> store.generation() == generation && store.isOpen());
    }
    stop.countDown();
    for (var reader : readers) {
      reader.get(30, SECONDS);
    }
    store.close();
    assertThat(store.stats().leases()).isZero();
  }

  private static void readUntil(StoreService store, CountDownLatch stop, AtomicLong reads) {
    while (stop.getCount() > 0) {
      try (var lease = store.lease()) {
        long seq = 1 + reads.incrementAndGet() % 50;
        assertThat(lease.get(Family.HOOKS, Keys.hook(seq))).isNotNull();
        try (var cursor =
            lease.scan(
                Family.HOOKS, Keys.hook(1), Keys.hook(51), StorageEngine.Direction.FORWARD)) {
          int rows = 0;
          while (cursor.next()) {
            rows++;
          }
          assertThat(rows).isEqualTo(50);
        }
      } catch (StoreUnavailableException e) {
        LockSupport.parkNanos(1_000_000);
      } catch (StoreException e) {
        throw new AssertionError(e);
      }
    }
  }
}
