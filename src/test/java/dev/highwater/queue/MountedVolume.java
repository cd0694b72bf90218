package dev.highwater.queue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A small file system of the test's own. Needs the right to mount; skips the test without it. */
final class MountedVolume implements AutoCloseable {
  /** FS_IOC_SHUTDOWN, and "do not flush the journal". */
  private static final long SHUTDOWN = 0x8004587dL;

  private static final int NO_FLUSH = 2;
  private static final int O_RDONLY = 0;

  private final Path path;
  private final List<String> mount;

  private MountedVolume(Path path, List<String> mount) throws IOException {
    this.path = Files.createDirectory(path);
    this.mount = mount;
    Result result = mount();
    Assumptions.assumeTrue(result.code == 0, () -> skipped(result.said));
  }

  /** Of that many MiB, in an image file; its power can be cut. */
  static MountedVolume ext4(Path home, int mib) throws IOException {
    Path image = home.resolve("disk.img");
    Result made;
    try {
      made = run(List.of("mkfs.ext4", "-q", "-F", image.toString(), mib + "M"));
    } catch (IOException e) {
      made = new Result(1, e.toString());
    }
    Result result = made;
    Assumptions.assumeTrue(result.code == 0, () -> skipped(result.said));
    Path at = home.resolve("volume");
    return new MountedVolume(
        at, List.of("mount", "-t", "ext4", "-o", "loop", image.toString(), at.toString()));
  }

  /** Of that many MiB, in memory; can be filled. */
  static MountedVolume tmpfs(Path home, int mib) throws IOException {
    Path at = home.resolve("volume");
    return new MountedVolume(
        at, List.of("mount", "-t", "tmpfs", "-o", "size=" + mib + "m", "none", at.toString()));
  }

  private static String skipped(String why) {
    String reason = "cannot mount a file system here: " + why.strip();
    System.out.println("Not tested: " + reason);
    return reason;
  }

  Path path() {
    return path;
  }

  /** From now on nothing reaches the disk any more; what had not, is lost. */
  void cutPower() {
    try (var arena = Arena.ofConfined()) {
      int fd =
          (int)
              function("open", ValueLayout.ADDRESS, ValueLayout.JAVA_INT)
                  .invoke(arena.allocateFrom(path.toString()), O_RDONLY);
      var how = arena.allocate(ValueLayout.JAVA_INT);
      how.set(ValueLayout.JAVA_INT, 0, NO_FLUSH);
      int code =
          (int)
              function("ioctl", ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS)
                  .invoke(fd, SHUTDOWN, how);
      int closed = (int) function("close", ValueLayout.JAVA_INT).invoke(fd);
      if (fd < 0 || code != 0 || closed != 0) {
        throw new AssertionError("the power could not be cut: open " + fd + ", ioctl " + code);
      }
    } catch (Throwable e) {
      throw new AssertionError("the power could not be cut", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle function(String name, ValueLayout... parameters) {
    var linker = Linker.nativeLinker();
    var address = linker.defaultLookup().find(name).orElseThrow();
    var type = FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters);
    return name.equals("ioctl")
        ? linker.downcallHandle(address, type, Linker.Option.firstVariadicArg(2))
        : linker.downcallHandle(address, type);
  }

  /** Nobody may have a file of it open. */
  void mountAgain() throws IOException {
    unmount();
    Result result = mount();
    if (result.code != 0) {
      throw new AssertionError("cannot mount it again: " + result.said);
    }
  }

  private Result mount() throws IOException {
    try {
      return run(mount);
    } catch (IOException e) {
      return new Result(1, e.toString());
    }
  }

  private void unmount() {
    // What a killed process had open is closed a moment after its end.
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> run(List.of("umount", path.toString())).code == 0);
  }

  @Override
  public void close() throws IOException {
    if (run(List.of("mountpoint", "-q", path.toString())).code == 0) {
      unmount();
    }
  }

  private record Result(int code, String said) {}

  private static Result run(List<String> command) throws IOException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(String.join(" ", command) + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    return new Result(process.exitValue(), said);
  }
}
