package dev.highwater.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.codec.Keys;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What becomes of a hundred acknowledged hooks when the log is damaged. The log is a copy taken
 * while the database was open, as a power cut would leave it: closing empties nothing.
 */
class LogDamageTest {
  private static final int HOOKS = 100;

  @TempDir Path directory;

  private StoreSettings settings() {
    return TestStores.settings(directory);
  }

  @Test
  void aByteFlippedInTheMiddleIsRefusedAndNamed() throws Exception {
    acknowledged(HOOKS);
    Path log = log();
    flip(log, Files.size(log) / 2);
    byte[] before = Files.readAllBytes(log);

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(log.getFileName() + " is damaged at byte")
        .hasMessageContaining("acknowledged hooks (seq 5")
        .hasMessageContaining("to 99) are missing")
        .hasMessageContaining("highwater.store.accept-loss");
    assertThat(Files.readAllBytes(log)).isEqualTo(before);
    assertThat(directory.resolve("recovery-probe")).doesNotExist();
    // A refusal is no accident: the next start says the same.
    assertThatThrownBy(this::open).hasMessageContaining("are missing");
  }

  /** RocksDB reads nothing of a block after a bad record, so it cannot tell what was promised. */
  @Test
  void aByteFlippedInTheLastBlockIsRefusedToo() throws Exception {
    acknowledged(HOOKS, 200);
    Path log = log();
    assertThat(Files.size(log)).isLessThan(32 * 1024);
    flip(log, Files.size(log) / 2);
    assertThatThrownBy(this::open).hasMessageContaining("to 99) are missing");
  }

  @Test
  void aPageOfZerosInTheMiddleIsRefused() throws Exception {
    acknowledged(HOOKS);
    Path log = log();
    zero(log, Files.size(log) / 2, 4096);
    assertThatThrownBy(this::open)
        .hasMessageContaining(log.getFileName().toString())
        .hasMessageContaining("are missing");
  }

  /** RocksDB passes over zeros where a record should begin, and says nothing. */
  @Test
  void zerosThatBeginWithARecordAreAHole() throws Exception {
    acknowledged(HOOKS);
    Path log = log();
    var starts = recordStarts(log);
    long begin = starts.get(50);
    zero(log, begin, (int) (starts.get(51) - begin));
    assertThatThrownBy(this::open)
        .hasMessageContaining(log.getFileName() + " is damaged at byte " + begin)
        .hasMessageContaining("has a hole")
        .hasMessageContaining("to 99) are missing");
  }

  @Test
  void aMissingLogBetweenTwoOthersIsAHole() throws Exception {
    var logs = acknowledgedInSeveralLogs();
    Files.delete(logs.get(1));
    assertThatThrownBy(this::open)
        .hasMessageContaining("has a hole (something is missing before byte 0 of ")
        .hasMessageContaining("are missing");
  }

  @Test
  void theCutEndOfALogThatIsNotTheLastIsAHole() throws Exception {
    var logs = acknowledgedInSeveralLogs();
    try (var file = FileChannel.open(logs.get(0), StandardOpenOption.WRITE)) {
      file.truncate(file.size() - 100);
    }
    assertThatThrownBy(this::open).hasMessageContaining("are missing");
  }

  @Test
  void severalWholeLogsOpen() throws Exception {
    acknowledgedInSeveralLogs();
    assertThat(hooksAfterOpening()).isEqualTo(3000);
  }

  @Test
  void aTornLastRecordIsDropped() throws Exception {
    acknowledged(HOOKS);
    try (var file = FileChannel.open(log(), StandardOpenOption.WRITE)) {
      file.truncate(file.size() - 100);
    }
    assertThat(hooksAfterOpening()).isEqualTo(HOOKS - 1);
  }

  @Test
  void garbageBehindTheLastRecordIsDropped() throws Exception {
    acknowledged(HOOKS);
    var garbage = new byte[600];
    new Random(1).nextBytes(garbage);
    Files.write(log(), garbage, StandardOpenOption.APPEND);
    assertThat(hooksAfterOpening()).isEqualTo(HOOKS);
  }

  @Test
  void aLogWhoseEndIsZerosIsRefusedBecauseOfTheMark() throws Exception {
    acknowledged(HOOKS);
    new DurableMarkFile(settings().durableMark()).write(HOOKS);
    Path log = log();
    zero(log, Files.size(log) - 4096, 4096);

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("acknowledged hooks (seq")
        .hasMessageContaining("to 100) are missing");
  }

  @Test
  void aMissingLogIsRefusedBecauseOfTheMark() throws Exception {
    acknowledged(HOOKS);
    new DurableMarkFile(settings().durableMark()).write(HOOKS);
    Files.delete(log());
    assertThatThrownBy(this::open).hasMessageContaining("100 acknowledged hooks (seq 1 to 100)");
  }

  @Test
  void aMissingDatabaseIsRefusedBecauseOfTheMarkAndNotCreated() throws Exception {
    new DurableMarkFile(settings().durableMark()).write(HOOKS);
    assertThatThrownBy(this::open).hasMessageContaining("100 acknowledged hooks");
    assertThat(settings().database()).doesNotExist();
  }

  @Test
  void aDatabaseThatLostItsBeginningIsNotTakenForANewOne() throws Exception {
    acknowledged(HOOKS);
    Files.delete(settings().database().resolve("CURRENT"));
    assertThatThrownBy(this::open).hasMessageContaining("CURRENT is missing");
  }

  @Test
  void acceptedLossOpensKeepsWhatCanBeReadAndReusesNoSeq() throws Exception {
    acknowledged(HOOKS);
    new DurableMarkFile(settings().durableMark()).write(HOOKS);
    Path log = log();
    zero(log, Files.size(log) - 4096, 4096);

    var engine = RocksEngine.factory(TestSettings.in(directory).acceptLoss().build()).open();
    try {
      assertThat(TestStores.hooks(engine)).isBetween(80L, 99L);
      assertThat(RocksOpening.lastSeq(engine)).isEqualTo(HOOKS);
    } finally {
      engine.close();
    }
    assertThat(hooksAfterOpening()).as("accepting once is enough").isBetween(80L, 99L);
  }

  @Test
  void acceptedLossInTheMiddleKeepsWhatComesAfter() throws Exception {
    acknowledged(HOOKS);
    Path log = log();
    flip(log, Files.size(log) / 2);
    var engine = RocksEngine.factory(TestSettings.in(directory).acceptLoss().build()).open();
    try {
      assertThat(TestStores.hooks(engine)).isBetween(70L, 99L);
      assertThat(engine.get(Family.HOOKS, Keys.hook(HOOKS))).isNotNull();
    } finally {
      engine.close();
    }
  }

  @Test
  void damageInWhatWasNeverAcknowledgedIsProvedAndDropped() throws Exception {
    long acknowledgedBytes;
    try (var crash = new Crash()) {
      TestStores.acknowledge(crash.engine, 50, 1000);
      acknowledgedBytes = Files.size(log());
      for (int seq = 51; seq <= HOOKS; seq++) {
        crash.engine.write(TestStores.group(seq, 50, 1000), false);
      }
      crash.now();
    }
    new DurableMarkFile(settings().durableMark()).write(50);
    Path log = log();
    long middleOfTail = (acknowledgedBytes + Files.size(log)) / 2;
    flip(log, middleOfTail);

    long kept = hooksAfterOpening();
    assertThat(kept).isBetween(60L, 90L);
    assertThat(directory.resolve("recovery-probe")).doesNotExist();

    try (var crash = new Crash()) {
      for (int seq = 101; seq <= 200; seq++) {
        crash.engine.write(TestStores.group(seq, seq - 1, 1000), false);
      }
      crash.engine.syncWal();
      crash.now();
    }
    assertThat(hooksAfterOpening()).as("the repaired log has no hole").isEqualTo(kept + 100);
  }

  @Test
  void aCopyThatACrashLeftIsRemoved() throws Exception {
    acknowledged(3);
    Path left = Files.createDirectory(directory.resolve("recovery-probe"));
    Files.writeString(left.resolve("000001.log"), "left");
    assertThat(hooksAfterOpening()).isEqualTo(3);
    assertThat(left).doesNotExist();
  }

  @Test
  void aDamagedMarkIsRefusedAndMayBeAccepted() throws Exception {
    acknowledged(HOOKS);
    Path mark = settings().durableMark();
    Files.write(mark, new byte[8192]);
    assertThatThrownBy(this::open).hasMessageContaining(mark + " is damaged");

    var engine = RocksEngine.factory(TestSettings.in(directory).acceptLoss().build()).open();
    assertThat(TestStores.hooks(engine)).isEqualTo(HOOKS);
    engine.close();
  }

  private void open() throws StoreException {
    RocksEngine.factory(settings()).open().close();
  }

  private long hooksAfterOpening() throws StoreException {
    var engine = RocksEngine.factory(settings()).open();
    try {
      return TestStores.hooks(engine);
    } finally {
      engine.close();
    }
  }

  private void acknowledged(int hooks) throws Exception {
    acknowledged(hooks, 1000);
  }

  private void acknowledged(int hooks, int bodyBytes) throws Exception {
    try (var crash = new Crash()) {
      TestStores.acknowledge(crash.engine, hooks, bodyBytes);
      crash.now();
    }
  }

  /** Memtables so small that the log is begun anew several times while older logs are needed. */
  private List<Path> acknowledgedInSeveralLogs() throws Exception {
    try (var crash = new Crash()) {
      for (int seq = 1; seq <= 3000; seq++) {
        crash.engine.write(TestStores.group(seq, seq - 1, 1000), false);
        if (seq % 100 == 0) {
          var others = new Batch();
          others.put(Family.INDEX, Keys.due(1, seq, seq), new byte[0]);
          others.deleteRange(Family.INDEX, Keys.due(1, 0, 0), Keys.due(1, seq - 200, 0));
          others.delete(Family.DELIVERIES, Keys.delivery(seq, 1));
          crash.engine.write(others, false);
        }
      }
      crash.engine.syncWal();
      crash.now();
    }
    try (var files = Files.list(settings().database())) {
      var logs = files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
      assertThat(logs).hasSizeGreaterThanOrEqualTo(3);
      return logs;
    }
  }

  /** Where each record, or part of one, begins. */
  private static List<Long> recordStarts(Path log) throws IOException {
    var bytes = ByteBuffer.wrap(Files.readAllBytes(log)).order(ByteOrder.LITTLE_ENDIAN);
    List<Long> starts = new ArrayList<>();
    int at = 0;
    while (at + 7 <= bytes.limit()) {
      if (32 * 1024 - at % (32 * 1024) < 7) {
        at += 32 * 1024 - at % (32 * 1024);
      }
      starts.add((long) at);
      at += 7 + Short.toUnsignedInt(bytes.getShort(at + 4));
    }
    return starts;
  }

  /** The log with the hooks in it: the longest. */
  private Path log() throws IOException {
    try (var files = Files.list(settings().database())) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  private static void flip(Path file, long at) throws IOException {
    try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(at);
      int value = bytes.read();
      bytes.seek(at);
      bytes.write(value ^ 0x10);
    }
  }

  private static void zero(Path file, long at, int length) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(length), at);
    }
  }

  /** An engine whose files are put back, after its closing, to what they were at one moment. */
  private final class Crash implements AutoCloseable {
    private final StorageEngine engine;
    private final Path saved = directory.resolve("saved");

    Crash() throws StoreException {
      engine = RocksEngine.factory(settings()).open();
    }

    void now() throws IOException {
      Files.createDirectory(saved);
      try (var files = Files.list(settings().database())) {
        for (Path file : files.toList()) {
          Files.copy(file, saved.resolve(file.getFileName()));
        }
      }
    }

    @Override
    public void close() throws StoreException, IOException {
      engine.close();
      try (var files = Files.list(settings().database())) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(settings().database());
      Files.move(saved, settings().database());
    }
  }
}
