package dev.highwater.queue;

import static org.awaitility.Awaitility.await;

import dev.highwater.Endurance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power goes under load, on a real file system: what is left is what was on the disk, and all
 * that was acked is among it (G1). Skipped, with the reason, where nothing can be mounted.
 */
class PowerCutTest {
  @TempDir Path home;

  @Test
  void whatWasAckedIsThereAfterThePowerCameBack() throws Exception {
    var random = new SplittableRandom(Endurance.seed(PowerCutTest.class));
    try (var volume = MountedVolume.ext4(home, 256)) {
      Path data = volume.path().resolve("data");
      Path errors = Files.createFile(home.resolve("errors.txt"));
      try (var fed = new FedStore(data, errors, Map.of())) {
        for (int round = 0; round < Endurance.rounds(2, 25); round++) {
          fed.feed();
          await()
              .pollInterval(Duration.ofMillis(1))
              .pollDelay(Duration.ofMillis(random.nextInt(1, 800)))
              .until(() -> true);
          fed.darken();
          volume.cutPower();
          fed.kill();
          volume.mountAgain();
          fed.check(true);
        }
        System.out.printf("PowerCutTest: %d stored%n", fed.acked());
      }
    }
  }
}
