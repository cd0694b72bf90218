package dev.highwater.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.Endurance;
import dev.highwater.codec.Keys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/**
 * What becomes of acknowledged hooks when a file of the database other than its log is damaged: a
 * table, a blob file, the manifest, CURRENT. Either all of them are read, byte for byte, or there
 * is an error that names a file. Never is there a shorter store (G8).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FileDamageTest {
  private static final int HOOKS = 120;
  private static final int SHORT_BODY = 900;
  private static final int LONG_BODY = 20_000;

  /** What a message has to have in it: a file of the database. */
  private static final Pattern A_NAME =
      Pattern.compile("\\d{6}\\.(sst|blob|log)|MANIFEST-\\d{6}|CURRENT");

  /** RocksDB names no blob file; then it is the family that is named. */
  private static final Pattern A_BLOB =
      Pattern.compile(A_NAME.pattern() + "|(look-up in|scan of) hooks failed: ");

  @TempDir private static Path home;
  private Path whole;
  private SplittableRandom random;
  private int copies;

  private interface Damage {
    void to(Path file) throws IOException;
  }

  @BeforeAll
  void acknowledge() throws Exception {
    random = new SplittableRandom(Endurance.seed(FileDamageTest.class));
    whole = Files.createDirectory(home.resolve("whole"));
    var settings = TestStores.settings(whole);
    // Three openings, each of which makes tables of what the log of the one before holds.
    for (int part = 0; part < 3; part++) {
      var engine = RocksEngine.factory(settings).open();
      for (int seq = part * 40 + 1; seq <= part * 40 + 40; seq++) {
        engine.write(TestStores.group(seq, seq - 1, bodyOf(seq)), false);
        engine.syncWal();
      }
      engine.close();
    }
    RocksEngine.factory(settings).open().close();
    new DurableMarkFile(settings.durableMark()).write(HOOKS);
    assertThat(readAll(whole)).isNull();
    assertThat(files(whole, ".sst")).hasSizeGreaterThanOrEqualTo(3);
    assertThat(files(whole, ".blob")).isNotEmpty();
  }

  private static int bodyOf(int seq) {
    return seq % 10 == 0 ? LONG_BODY : SHORT_BODY;
  }

  @Test
  void aFlippedBit() throws Exception {
    for (String part : List.of(".sst", ".blob", "MANIFEST", "CURRENT")) {
      for (Path file : files(whole, part)) {
        for (int i = 0; i < Endurance.rounds(4, 60); i++) {
          long at = random.nextLong(Files.size(file));
          int bit = 1 << random.nextInt(8);
          check(file, "bit " + bit + " flipped at " + at, damaged -> flip(damaged, at, bit));
        }
      }
    }
  }

  @Test
  void aPageOfZeros() throws Exception {
    for (String part : List.of(".sst", ".blob", "MANIFEST", "CURRENT")) {
      for (Path file : files(whole, part)) {
        for (int i = 0; i < Endurance.rounds(1, 40); i++) {
          long at = random.nextLong(Files.size(file)) / 512 * 512;
          int length = (int) Math.min(4096, Files.size(file) - at);
          check(file, "zeros from " + at, damaged -> write(damaged, at, new byte[length]));
        }
      }
    }
  }

  @Test
  void aFileThatIsMissing() throws Exception {
    for (String part : List.of(".sst", ".blob", "MANIFEST", "CURRENT")) {
      for (Path file : files(whole, part)) {
        assertThat(check(file, "missing", Files::delete)).as("%s is missing", file).isNotNull();
      }
    }
  }

  @Test
  void aFileThatIsCut() throws Exception {
    for (String part : List.of(".sst", ".blob", "CURRENT")) {
      for (Path file : files(whole, part)) {
        for (int i = 0; i < Endurance.rounds(2, 40); i++) {
          cut(file, random.nextLong(Files.size(file)));
        }
      }
    }
  }

  /** Where RocksDB takes the end of the manifest for the end of what it has to know. */
  @Test
  void aManifestThatIsCutAnywhere() throws Exception {
    Path manifest = files(whole, "MANIFEST").getFirst();
    int step = Endurance.rounds(60, 1);
    for (long at = random.nextInt(step); at < Files.size(manifest); at += step) {
      cut(manifest, at);
    }
  }

  private void cut(Path file, long at) throws Exception {
    check(
        file,
        "cut at " + at,
        damaged -> {
          try (var channel = FileChannel.open(damaged, StandardOpenOption.WRITE)) {
            channel.truncate(at);
          }
        });
  }

  private @Nullable String check(Path file, String what, Damage damage) throws Exception {
    Path copy = home.resolve("copy-" + ++copies);
    FileSystemUtils.copyRecursively(whole, copy);
    damage.to(copy.resolve(whole.relativize(file)));
    @Nullable String refusal;
    try {
      refusal = readAll(copy);
    } catch (Throwable e) {
      throw new AssertionError(file.getFileName() + ", " + what, e);
    }
    if (refusal != null) {
      assertThat(refusal)
          .as("%s, %s: the error names a file", file.getFileName(), what)
          .containsPattern(file.toString().endsWith(".blob") ? A_BLOB : A_NAME);
    }
    FileSystemUtils.deleteRecursively(copy);
    return refusal;
  }

  /**
   * Opens it and reads every hook, by a scan and by its key.
   *
   * @return the error, or null if everything is there
   */
  private static @Nullable String readAll(Path directory) {
    StorageEngine engine;
    try {
      engine = RocksEngine.factory(TestStores.settings(directory)).open();
    } catch (StoreException e) {
      return String.valueOf(e.getMessage());
    }
    try {
      assertThat(RocksOpening.lastSeq(engine)).isEqualTo(HOOKS);
      for (int seq = 1; seq <= HOOKS; seq++) {
        mustBe(seq, engine.get(Family.HOOKS, Keys.hook(seq)));
      }
      try (var cursor =
          engine.scan(
              Family.HOOKS,
              Keys.hook(0),
              Keys.hook(Long.MAX_VALUE),
              StorageEngine.Direction.FORWARD)) {
        int seq = 0;
        while (cursor.next()) {
          mustBe(++seq, cursor.value());
        }
        assertThat(seq).as("hooks of a scan that ended well").isEqualTo(HOOKS);
      }
      return null;
    } catch (StoreException e) {
      return String.valueOf(e.getMessage());
    } finally {
      try {
        engine.close();
      } catch (StoreException e) {
        System.out.println("closing said: " + e.getMessage());
      }
    }
  }

  private static void mustBe(int seq, byte @Nullable [] value) {
    byte[] body = new byte[bodyOf(seq)];
    Arrays.fill(body, (byte) seq);
    assertThat(value).as("hook %s", seq).isEqualTo(body);
  }

  private static List<Path> files(Path directory, String part) throws IOException {
    try (Stream<Path> files = Files.list(TestStores.settings(directory).database())) {
      return new ArrayList<>(
          files.filter(file -> file.getFileName().toString().contains(part)).sorted().toList());
    }
  }

  private static void flip(Path file, long at, int bit) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var one = ByteBuffer.allocate(1);
      channel.read(one, at);
      channel.write(one.put(0, (byte) (one.get(0) ^ bit)).flip(), at);
    }
  }

  private static void write(Path file, long at, byte[] bytes) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), at);
    }
  }
}
