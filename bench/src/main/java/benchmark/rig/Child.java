package benchmark.rig;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A process under measurement, and what the kernel says of it. */
final class Child implements AutoCloseable {
  /** What the kernel counts processor time in. */
  private static final double TICKS_PER_SECOND = 100;

  private final Process process;
  private final Path output;

  private Child(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  static Child start(Path home, Map<String, String> environment, List<String> command)
      throws IOException {
    Files.createDirectories(home);
    Path output = home.resolve("output.txt");
    var builder =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return new Child(endWithThisProcess(builder.start()), output);
  }

  /** A run that is broken off leaves nothing running. */
  static Process endWithThisProcess(Process process) {
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    return process;
  }

  /**
   * A free port, of those the kernel gives to nobody by itself: one of the others could be taken by
   * a client before the server is up.
   */
  static int freePort() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
      try (var socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Taken; another one.
      }
    }
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Waits until something listens there. */
  Child awaitPort(int port) throws IOException {
    await(
        "port " + port,
        () -> {
          try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
            return true;
          } catch (IOException e) {
            return false;
          }
        });
    return this;
  }

  void await(String what, BooleanSupplier condition) throws IOException {
    long giveUp = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (!condition.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() > giveUp) {
        close();
        throw new IOException("waited in vain for " + what + "; it said:\n" + lastLines());
      }
      pause(20);
    }
  }

  static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  String log() throws IOException {
    return Files.readString(output);
  }

  private String lastLines() throws IOException {
    List<String> lines = log().lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
  }

  /** Processor seconds of it and of the processes below it. */
  double cpuSeconds() {
    double seconds = 0;
    for (ProcessHandle each : family()) {
      seconds += ticks(each.pid()) / TICKS_PER_SECOND;
    }
    return seconds;
  }

  private static long ticks(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    } catch (IOException e) {
      return 0; // it has ended
    }
  }

  /** Resident memory of it alone, in bytes. */
  long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    return 0;
  }

  private List<ProcessHandle> family() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    return all;
  }

  /** Ends it as an operator would, and as the kernel would if that takes too long. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
