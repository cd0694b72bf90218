package benchmark.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Makes every fsync of a process take longer, by the library that bench/run has compiled of {@code
 * src/test/c/diskfault.c}.
 */
final class SlowDisk {
  private SlowDisk() {}

  static boolean isThere() {
    return Files.exists(library());
  }

  private static Path library() {
    return Options.target().resolve("slowdisk.so");
  }

  /**
   * What a process needs in its environment.
   *
   * @param part of the paths whose fdatasync takes longer
   * @param millis how much longer; 0 leaves the process as it is
   */
  static Map<String, String> environment(Path home, String part, int millis) throws IOException {
    if (millis == 0) {
      return Map.of();
    }
    Files.createDirectories(home);
    Path rules = home.resolve("slowdisk.rules");
    Files.writeString(
        rules,
        "fdatasync %s delay %d -1\nfsync %s delay %d -1\n".formatted(part, millis, part, millis));
    return Map.of("LD_PRELOAD", library().toString(), "DISKFAULT", rules.toString());
  }
}
