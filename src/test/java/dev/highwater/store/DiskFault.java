package dev.highwater.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Makes the system calls of a child process slow, or fail: a library of {@code src/test/c}, built
 * with gcc and preloaded. The rules are those described there; they can be changed while the child
 * runs, by this process or by the child itself.
 */
public final class DiskFault {
  public static final int EIO = 5;
  public static final int ENOSPC = 28;

  private static final Path SOURCE = Path.of("src/test/c/diskfault.c");

  private final Path library;
  private final Path control;
  private final Path trace;

  private DiskFault(Path library, Path control, Path trace) {
    this.library = library;
    this.control = control;
    this.trace = trace;
  }

  /** Builds it in that directory; empty, with the reason printed, where that cannot be done. */
  public static Optional<DiskFault> build(Path directory) throws IOException {
    Path library = directory.resolve("diskfault.so");
    var log = directory.resolve("gcc.log");
    int code;
    try {
      var gcc =
          new ProcessBuilder(
                  "gcc",
                  "-shared",
                  "-fPIC",
                  "-O1",
                  "-o",
                  library.toString(),
                  SOURCE.toString(),
                  "-ldl")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      code = gcc.waitFor();
    } catch (IOException e) {
      System.out.println("Not tested with faults of the disk, because gcc cannot be run: " + e);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while gcc ran", e);
    }
    if (code != 0) {
      System.out.println(
          "Not tested with faults of the disk, because gcc failed: " + Files.readString(log));
      return Optional.empty();
    }
    var control = Files.writeString(directory.resolve("diskfault.rules"), "");
    return Optional.of(new DiskFault(library, control, directory.resolve("diskfault.trace")));
  }

  /** What a child needs in its environment. */
  public Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", library.toString(),
        "DISKFAULT", control.toString(),
        "DISKFAULT_TRACE", trace.toString());
  }

  /** The rules of the process this runs in, which was started with {@link #environment}. */
  public static DiskFault ofThisProcess() {
    return new DiskFault(
        Path.of(variable("LD_PRELOAD")),
        Path.of(variable("DISKFAULT")),
        Path.of(variable("DISKFAULT_TRACE")));
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException(name + " is not set");
    }
    return value;
  }

  /** That many next calls on paths with {@code part} in them fail; -1 is all. */
  public void fail(String call, String part, int errno, int times) throws IOException {
    rules(call + " " + part + " errno " + errno + " " + times);
  }

  /** The same, after {@code good} calls that go well. */
  public void failAfter(int good, String call, String part, int errno, int times)
      throws IOException {
    rules(call + " " + part + " errno " + errno + " " + times + " after " + good);
  }

  /** That many next calls on paths with {@code part} in them take longer; -1 is all. */
  public void delay(String call, String part, long millis, int times) throws IOException {
    rules(call + " " + part + " delay " + millis + " " + times);
  }

  /** Replaces all rules. */
  public void rules(String... lines) throws IOException {
    // Moved into place, so that no call reads half of it. The comment starts the counting anew.
    Path draft = Files.createTempFile(control.getParent(), "rules", null);
    Files.writeString(draft, String.join("\n", lines) + "\n# " + System.nanoTime() + "\n");
    Files.move(draft, control, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Nothing fails any more. */
  public void heal() throws IOException {
    rules();
  }

  /** The calls that were struck, each as "call path". */
  public List<String> struck() throws IOException {
    return Files.exists(trace) ? Files.readAllLines(trace) : List.of();
  }

  /** How many calls were struck. */
  public long strikes() throws IOException {
    // Every entry is one short line, and the file may be long.
    if (!Files.exists(trace)) {
      return 0;
    }
    try (var lines = Files.lines(trace)) {
      return lines.count();
    }
  }

  /** What runs a main class of the tests in a child. */
  public static List<String> command(Class<?> main, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Runs a main class of the tests in a child with this library, and waits up to two minutes.
   *
   * @return what it printed
   * @throws AssertionError if it does not end with code 0
   */
  public String run(Class<?> main, String... arguments) throws IOException, InterruptedException {
    return run(Duration.ofMinutes(2), main, arguments);
  }

  /** The same, and waits as long as is said. */
  public String run(Duration atMost, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(control.getParent(), "child", ".txt");
    var builder =
        new ProcessBuilder(command(main, arguments))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment());
    var child = builder.start();
    boolean ended = child.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    if (!ended) {
      child.destroyForcibly().waitFor();
    }
    String printed = Files.readString(output, StandardCharsets.UTF_8);
    if (!ended || child.exitValue() != 0) {
      throw new AssertionError(
          main.getSimpleName()
              + " "
              + String.join(" ", arguments)
              + (ended ? " ended with " + child.exitValue() : " did not end")
              + ":\n"
              + printed);
    }
    return printed;
  }
}
