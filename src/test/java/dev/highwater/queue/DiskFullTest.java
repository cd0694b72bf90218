package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.Endurance;
import dev.highwater.hook.Answer;
import dev.highwater.hook.ErrorCode;
import dev.highwater.store.StoreSettings;
import dev.highwater.store.TestSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A neighbour fills the disk while hooks come in, and goes away again. While it is full hooks are
 * refused; what was acked stays; and it recovers by itself (G1, G5). Skipped, with the reason,
 * where nothing can be mounted.
 */
class DiskFullTest {
  private static final long MIB = 1024 * 1024;
  private static final int VOLUME_MIB = 96;

  @TempDir Path home;

  private final Set<NumberedHook> acked = new HashSet<>();
  private final Set<NumberedHook> refused = new HashSet<>();
  private long number;

  @Test
  void aDiskThatIsFullInMidGroupRecoversByItself() throws Exception {
    try (var volume = MountedVolume.tmpfs(home, VOLUME_MIB)) {
      // No reserve of its own: it meets the full disk with its next byte.
      var settings = TestSettings.in(volume.path().resolve("data")).build();
      fillAndFree(volume, settings, Endurance.rounds(2, 20));
    }
  }

  @Test
  void theBallastIsGivenUpForTheReopeningAndGrowsBack() throws Exception {
    try (var volume = MountedVolume.tmpfs(home, VOLUME_MIB)) {
      // No limit, as for a neighbour that is faster than every look at the disk.
      var settings =
          TestSettings.in(volume.path().resolve("data"))
              .space(0, 16 * MIB)
              .tick(Duration.ofSeconds(1))
              .build();
      Path ballast = volume.path().resolve("data/ballast");
      try (var path = WritePathOnDisk.open(settings)) {
        await().until(() -> Files.exists(ballast) && Files.size(ballast) == 16 * MIB);
        take(path, 50);
        fill(volume);
        await()
            .atMost(Duration.ofSeconds(20))
            .pollInterval(Duration.ofMillis(1))
            .until(() -> !submit(path));
        await()
            .atMost(Duration.ofSeconds(20))
            .pollInterval(Duration.ofMillis(1))
            .until(() -> !Files.exists(ballast));
        path.awaitAccepting();
        path.mustHold(acked, refused);
        free(volume);
        path.awaitAccepting();
        take(path, 50);
        await().until(() -> Files.exists(ballast) && Files.size(ballast) == 16 * MIB);
      }
      check(settings);
    }
  }

  private void fillAndFree(MountedVolume volume, StoreSettings settings, int rounds)
      throws Exception {
    try (var path = WritePathOnDisk.open(settings)) {
      for (int round = 1; round <= rounds; round++) {
        take(path, 100);
        fill(volume);
        int before = refused.size();
        await()
            .atMost(Duration.ofSeconds(20))
            .pollInterval(Duration.ofMillis(1))
            .until(() -> submit(path) ? refused.size() > before : refused.size() > before + 20);
        assertThat(path.accepts()).as("while it is full").isFalse();
        long fences = path.status().fences();
        assertThat(fences).isGreaterThanOrEqualTo(round);

        free(volume);
        long freed = System.nanoTime();
        path.awaitAccepting();
        assertThat(Duration.ofNanos(System.nanoTime() - freed))
            .as("well again")
            .isLessThan(Duration.ofSeconds(10));
        path.mustHold(acked, refused);
      }
      take(path, 10);
    }
    check(settings);
  }

  private void check(StoreSettings settings) throws Exception {
    try (var again = WritePathOnDisk.open(settings)) {
      assertThat(again.mustHold(acked, refused)).hasSize(acked.size());
    }
    System.out.printf("DiskFullTest: %d stored, %d refused%n", acked.size(), refused.size());
  }

  private void take(WritePathOnDisk path, int hooks) throws Exception {
    for (int i = 0; i < hooks; i++) {
      assertThat(submit(path)).as("hook %s is stored", number).isTrue();
    }
  }

  private boolean submit(WritePathOnDisk path) throws Exception {
    var hook = NumberedHook.of(++number);
    return switch (path.submit(hook).get(30, TimeUnit.SECONDS)) {
      case Answer.Stored stored -> acked.add(hook);
      case Answer.Refused no -> {
        assertThat(no.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        refused.add(hook);
        yield false;
      }
      case Answer.Duplicate duplicate -> throw new AssertionError("a duplicate: " + duplicate);
      case Answer.Quarantined quarantined -> throw new AssertionError("in the pen: " + quarantined);
    };
  }

  /** Until there is no byte left. */
  private static void fill(MountedVolume volume) throws IOException {
    byte[] page = new byte[4096];
    try (var file =
        FileChannel.open(
            volume.path().resolve("neighbour"),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND)) {
      while (true) {
        file.write(ByteBuffer.wrap(page));
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static void free(MountedVolume volume) throws IOException {
    Files.delete(volume.path().resolve("neighbour"));
  }
}
