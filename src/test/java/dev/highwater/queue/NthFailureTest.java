package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.Endurance;
import dev.highwater.store.DiskFault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The write path over RocksDB, with the n-th call to the disk failing, for n = 1, 2, … until a run
 * meets no failure (G1, G5, G6). The quick form takes every so many-th n, from a seeded beginning.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NthFailureTest {
  private long seed;

  @BeforeAll
  void seed() {
    seed = Endurance.seed(NthFailureTest.class);
  }

  @ParameterizedTest(name = "{0}, errno {1}, {2}")
  @CsvSource({"fdatasync, 5, once, 8", "write, 28, for-good, 14"})
  void whateverCallFails(String call, int errno, String how, int step, @TempDir Path home)
      throws Exception {
    sweep(call, errno, how, Endurance.rounds(step, 1), home);
  }

  @ParameterizedTest(name = "{0}, errno {1}, {2}")
  @CsvSource({
    "fdatasync, 5, for-good",
    "fdatasync, 28, once",
    "fdatasync, 28, for-good",
    "write, 5, once",
    "write, 5, for-good",
    "write, 28, once",
    "fsync, 5, once",
    "fsync, 28, for-good",
    "pwrite, 5, for-good",
    "pwrite, 28, once"
  })
  void whateverCallFailsInEveryOtherWay(String call, int errno, String how, @TempDir Path home)
      throws Exception {
    Assumptions.assumeTrue(Endurance.isLong(), "for the long form");
    sweep(call, errno, how, 1, home);
  }

  private void sweep(String call, int errno, String how, int step, Path home) throws Exception {
    var disk = DiskFault.build(home);
    Assumptions.assumeTrue(disk.isPresent(), "gcc is needed");
    int first = 1 + new SplittableRandom(seed).nextInt(step);
    String printed =
        disk.orElseThrow()
            .run(
                Duration.ofMinutes(Endurance.rounds(3, 30)),
                NthFailureScenario.class,
                home.toString(),
                call,
                Integer.toString(errno),
                how,
                Integer.toString(first),
                Integer.toString(step));
    assertThat(disk.orElseThrow().strikes()).as("the failure was met").isPositive();
    printed.lines().filter(line -> line.contains("runs met it")).forEach(System.out::println);
  }
}
