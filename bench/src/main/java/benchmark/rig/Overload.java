package benchmark.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * More than Highwater can take: a small heap, a disk whose fsync takes a second, and many large
 * bodies. What may happen is that hooks are refused, and that at once; what may not is that the
 * memory does not suffice.
 */
final class Overload {
  private record Step(int connections, int bodyBytes) {}

  /** The last two are more than 128 MB of bodies, so that something must be refused. */
  private static final List<Step> STEPS =
      List.of(
          new Step(512, 16 * 1024),
          new Step(512, 64 * 1024),
          new Step(512, 512 * 1024),
          new Step(3072, 64 * 1024));

  private static final Pattern HEAP = Pattern.compile("Pause .* (\\d+)M->(\\d+)M\\((\\d+)M\\)");

  private final Options options;

  Overload(Options options) {
    this.options = options;
  }

  void run() throws IOException {
    if (!SlowDisk.isThere()) {
      System.out.println("skipped: gcc is needed to make the disk slower");
      return;
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "| connections | body | 201/s | p99 ms | 503 | p50 ms | p99 ms | other errors | heap before, after collection at most | full collections | OutOfMemoryError | RSS MB |");
    lines.add("|--:|--:|--:|--:|--:|--:|--:|---|---|--:|---|--:|");
    for (Step step : STEPS) {
      lines.add(measure(step));
      System.out.println(lines.getLast());
    }
    Path file = Options.target().resolve("overload.md");
    Files.writeString(file, String.join("\n", lines) + "\n");
    System.out.println("wrote " + file);
  }

  private String measure(Step step) throws IOException {
    Path home = Matrix.freshHome("overload");
    try (var sink = Sink.hanging();
        var server =
            Server.highwater(
                home,
                Server.javaCommand(
                    "-Xmx512m",
                    List.of("-Xlog:gc:file=gc.txt"),
                    "-jar",
                    System.getProperty("bench.jar")),
                SlowDisk.environment(home, ".log", 1000),
                """
                  queue: {max-bytes: 128MB}
                  dispatch: {per-sink: 1}
                  sources:
                    bench:
                      type: none
                      sinks:
                        - {name: out, type: http, timeout: 10m, url: "http://127.0.0.1:%d/"}
                """
                    .formatted(sink.port()))) {
      var result =
          Load.run(
                  server.port,
                  step.connections(),
                  step.bodyBytes(),
                  edge -> {},
                  "warm:" + options.warm,
                  "closed:" + options.seconds)
              .getFirst();
      boolean alive = server.child.isAlive();
      String gc = Files.readString(home.resolve("gc.txt"));
      long before = 0;
      long after = 0;
      var heap = HEAP.matcher(gc);
      while (heap.find()) {
        before = Math.max(before, Long.parseLong(heap.group(1)));
        after = Math.max(after, Long.parseLong(heap.group(2)));
      }
      boolean exhausted = !alive || server.child.log().contains("OutOfMemoryError");
      return String.format(
          Locale.ROOT,
          "| %d | %d | %,.0f | %,.0f | %,.0f | %.1f | %.1f | %s | %d, %d MB | %d | %s | %d |",
          step.connections(),
          step.bodyBytes(),
          result.get("rate"),
          result.get("p99") / 1e3,
          result.get("status_503"),
          result.get("refused_p50") / 1e3,
          result.get("refused_p99") / 1e3,
          result.errors().replaceAll("503: \\d+", "").strip(),
          before,
          after,
          gc.lines().filter(line -> line.contains("Pause Full")).count(),
          exhausted ? "YES" : "none",
          alive ? server.child.residentBytes() >> 20 : 0);
    } finally {
      Matrix.delete(home);
    }
  }
}
