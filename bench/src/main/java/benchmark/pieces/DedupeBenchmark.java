package benchmark.pieces;

import dev.highwater.codec.DedupeValue;
import dev.highwater.codec.Keys;
import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.RocksEngine;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreService;
import dev.highwater.store.StoreSettings;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The look-up of a group's dedupe keys among many others. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class DedupeBenchmark {
  private static final SourceRef SOURCE = SourceRef.of("bench");
  private static final int PER_BATCH = 1000;

  @Param({"1", "32", "256"})
  public int keys;

  @Param({"1000000"})
  public int stored;

  /** False as for new hooks, true as for repeated ones. */
  @Param({"false", "true"})
  public boolean known;

  private final Random random = new Random(1);
  private Path home;
  private StoreService store;

  @Setup
  public void fill() throws Exception {
    home = Files.createTempDirectory(Files.createDirectories(Path.of("target/data")), "dedupe");
    StoreSettings settings = StoreSettings.defaults(home);
    store = new StoreService(RocksEngine.factory(settings), settings, Clock.systemUTC());
    store.start();
    byte[] value =
        new DedupeValue(4_000_000_000_000L, 1, HookId.of(1_700_000_000_000L, 1, 2)).encode();
    for (int i = 0; i < stored; i += PER_BATCH) {
      var batch = new Batch();
      for (int k = i; k < i + PER_BATCH; k++) {
        batch.put(Family.INDEX, key(k), value);
      }
      try (var lease = store.lease()) {
        lease.write(batch);
      }
    }
  }

  /** Of 36 bytes, as GitHub's; their order has nothing to do with that of their numbers. */
  private static byte[] key(int number) {
    return Keys.dedupe(
        SOURCE,
        ByteBuffer.allocate(36).putLong(number * 0x9E3779B97F4A7C15L).putInt(number).array());
  }

  @Benchmark
  public List<byte[]> lookUp() throws StoreException {
    List<byte[]> wanted = new ArrayList<>(keys);
    for (int i = 0; i < keys; i++) {
      wanted.add(key(random.nextInt(stored) + (known ? 0 : stored)));
    }
    try (var lease = store.lease()) {
      return lease.multiGet(Family.INDEX, wanted);
    }
  }

  @TearDown
  public void remove() throws Exception {
    store.close();
    try (var files = Files.walk(home)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
