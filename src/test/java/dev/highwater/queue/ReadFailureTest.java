package dev.highwater.queue;

import dev.highwater.Endurance;
import dev.highwater.store.DiskFault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The disk gives EIO for a read at the start: it is refused, never taken for an empty store, and no
 * seq is given twice (G3, G8). The quick form takes every so many-th read.
 */
class ReadFailureTest {
  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({"read, once, 9", "read, for-good, 11", "pread, once, 50", "pread, for-good, 60"})
  void aStartThatCannotReadIsRefused(String call, String how, int step, @TempDir Path home)
      throws Exception {
    var disk = DiskFault.build(home);
    Assumptions.assumeTrue(disk.isPresent(), "gcc is needed");
    int every = Endurance.rounds(step, 1);
    int first = 1 + new SplittableRandom(Endurance.seed(ReadFailureTest.class)).nextInt(every);
    String printed =
        disk.orElseThrow()
            .run(
                Duration.ofMinutes(Endurance.rounds(3, 30)),
                ReadFailureScenario.class,
                home.resolve("readings").toString(),
                call,
                how,
                Integer.toString(first),
                Integer.toString(every));
    printed.lines().filter(line -> line.contains("refused to start")).forEach(System.out::println);
  }
}
