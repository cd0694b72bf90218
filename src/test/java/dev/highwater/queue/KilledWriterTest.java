package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.Endurance;
import dev.highwater.store.DiskFault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process is killed under load, again and again on the same directory: at any moment, inside an
 * fsync, and around the moment at which an fsync has failed. What was acked is there, byte for byte
 * and once; what was refused is not (G1, G3, G4, G5).
 */
class KilledWriterTest {
  @TempDir Path home;

  @Test
  void atAnyMoment() throws Exception {
    var random = new SplittableRandom(Endurance.seed(KilledWriterTest.class));
    try (var fed = fed(Map.of())) {
      for (int round = 0; round < Endurance.rounds(2, 30); round++) {
        fed.feed();
        pass(random.nextInt(1, 800));
        fed.kill();
        fed.check(true);
      }
      report("at any moment", fed);
    }
  }

  @Test
  void insideAnFsync() throws Exception {
    var random = new SplittableRandom(Endurance.seed(KilledWriterTest.class));
    var disk = disk();
    try (var fed = fed(disk.environment())) {
      for (int round = 0; round < Endurance.rounds(1, 20); round++) {
        disk.heal();
        fed.feed();
        long struck = disk.strikes();
        disk.delay("fdatasync", ".log", 400, -1);
        await()
            .pollInterval(Duration.ofMillis(2))
            .until(() -> disk.strikes() > struck + random.nextInt(2));
        pass(random.nextInt(1, 390));
        fed.kill();
        fed.check(true);
      }
      report("inside an fsync", fed);
    }
  }

  @Test
  void aroundAFailedFsync() throws Exception {
    var random = new SplittableRandom(Endurance.seed(KilledWriterTest.class));
    var disk = disk();
    try (var fed = fed(disk.environment())) {
      for (int round = 0; round < Endurance.rounds(2, 30); round++) {
        disk.heal();
        fed.feed();
        long struck = disk.strikes();
        int errno = random.nextBoolean() ? DiskFault.EIO : DiskFault.ENOSPC;
        // Once, so that the kill comes into the reopening or the clean-up, or for good.
        disk.fail("fdatasync", ".log", errno, random.nextBoolean() ? 1 : -1);
        await().pollInterval(Duration.ofMillis(1)).until(() -> disk.strikes() > struck);
        if (round == 0) {
          // Once at least the kill comes after an answer, so that there is a refused one to look
          // for.
          await().until(() -> fed.refused() > 0);
        }
        pass(random.nextInt(1, 150));
        fed.kill();
        fed.check(false);
      }
      assertThat(fed.refused()).as("some were refused").isPositive();
      report("around a failed fsync", fed);
    }
  }

  private FedStore fed(Map<String, String> environment) throws Exception {
    Path data = Files.createDirectory(home.resolve("data"));
    return new FedStore(data, Files.createFile(home.resolve("errors.txt")), environment);
  }

  private DiskFault disk() throws Exception {
    var disk = DiskFault.build(home);
    Assumptions.assumeTrue(disk.isPresent(), "gcc is needed");
    return disk.orElseThrow();
  }

  private static void pass(int millis) {
    await()
        .pollInterval(Duration.ofMillis(1))
        .pollDelay(Duration.ofMillis(millis))
        .until(() -> true);
  }

  private static void report(String where, FedStore fed) {
    System.out.printf(
        "KilledWriterTest: %s: %d stored, %d refused%n", where, fed.acked(), fed.refused());
  }
}
