package benchmark.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How Highwater is with a large backlog: fills it while the sink hangs, compares the intake with
 * that of the empty store, starts again upon it with a sink that answers, and watches it drain.
 */
final class Scale {
  private static final int CONNECTIONS = 128;
  private static final int SETTLE_SECONDS = 60;

  private final Options options;
  private final List<String> lines = new ArrayList<>();

  Scale(Options options) {
    this.options = options;
  }

  void run() throws IOException {
    int body = options.bodies.getFirst();
    Path home = Matrix.freshHome("scale");
    long stored;
    long beforeStart = System.nanoTime();
    try (var hanging = Sink.hanging();
        var server = start(home, hanging.port(), body)) {
      say("start of the empty store until ready: %,.1f s", (System.nanoTime() - beforeStart) / 1e9);
      String measured = "closed:" + options.seconds;
      double empty = load(server, body, "warm:" + options.warm, measured).getFirst().get("rate");
      say("intake, store nearly empty: %,.0f hooks/s", empty);
      long begin = System.nanoTime();
      var fill = load(server, body, "count:" + options.scale).getFirst();
      say(
          "filled with %,d more in %,.0f s (%,.0f hooks/s on the way)%s",
          options.scale, (System.nanoTime() - begin) / 1e9, fill.get("rate"), errors(fill));
      var full = load(server, body, measured).getFirst();
      say(
          "intake upon that backlog: %,.0f hooks/s, %.2f of the empty store's%s",
          full.get("rate"), full.get("rate") / empty, errors(full));
      stored = (long) server.meter("highwater_queue_answered_total");
      say(
          "backlog %,d deliveries; resident %,d MB",
          (long) server.meter("highwater_dispatch_backlog"), server.child.residentBytes() >> 20);
    }
    long full = bytesIn(home.resolve("data"));
    say(
        "on disk %,d MB, %,.0f bytes a hook of %,d bytes body",
        full >> 20, (double) full / stored, body);
    drain(home, body, stored);
    Path file = Options.target().resolve("scale.md");
    Files.writeString(file, String.join("\n", lines) + "\n");
    System.out.println("wrote " + file);
    Matrix.delete(home);
  }

  private void drain(Path home, int body, long stored) throws IOException {
    try (var sink = Sink.fast()) {
      long begin = System.nanoTime();
      try (var server = start(home, sink.port(), body)) {
        say("start upon the backlog until ready: %,.1f s", (System.nanoTime() - begin) / 1e9);
        begin = System.nanoTime();
        long already = sink.received();
        double cpu = server.child.cpuSeconds();
        long resident = 0;
        while (server.meter("highwater_dispatch_backlog") > 0) {
          if (!server.child.isAlive()) {
            throw new IOException("Highwater has ended:\n" + server.child.log());
          }
          resident = Math.max(resident, server.child.residentBytes());
          Child.pause(500);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        long delivered = sink.received() - already;
        say(
            "drained %,d deliveries in %,.0f s: %,.0f a second, %,.0f us CPU each; resident at most"
                + " %,d MB",
            delivered,
            seconds,
            delivered / seconds,
            (server.child.cpuSeconds() - cpu) * 1e6 / delivered,
            resident >> 20);
        say("the sink got %,d requests for %,d hooks", sink.received(), stored);
        say("on disk after the drain %,d MB", bytesIn(home.resolve("data")) >> 20);
        Child.pause(SETTLE_SECONDS * 1000L);
        say("on disk %d s later %,d MB", SETTLE_SECONDS, bytesIn(home.resolve("data")) >> 20);
      }
    }
  }

  private static Server start(Path home, int sinkPort, int body) throws IOException {
    return Server.highwater(
        home,
        Server.javaCommand("-jar", System.getProperty("bench.jar")),
        Map.of(),
        """
          dispatch: {max-backlog: 1000000000, max-backlog-bytes: 1TB}
          sources:
            bench:
              type: github
              secrets: ["benchmark-not-a-real-secret"]
              sinks:
                - {name: out, type: http, timeout: 10m, max-connections: 16, url: "http://127.0.0.1:%d/"}
        """
            .formatted(sinkPort)
            .indent(0));
  }

  private static List<Load.Result> load(Server server, int body, String... phases)
      throws IOException {
    return Load.run(server.port, CONNECTIONS, body, edge -> {}, phases);
  }

  private static String errors(Load.Result result) {
    return result.errors().isEmpty() ? "" : "; ERRORS " + result.errors();
  }

  private static long bytesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private void say(String format, Object... values) {
    String line = String.format(Locale.ROOT, format, values);
    System.out.println(line);
    lines.add("- " + line);
  }
}
