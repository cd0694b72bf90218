package benchmark.rig;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One row's server, with what it writes to. */
final class Server implements AutoCloseable {
  private static final String LIBRARIES =
      Options.target().resolve("classes") + ":" + Options.target().resolve("lib") + "/*";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  final Child child;
  final int port;
  private final int operatorPort;
  final Backend backend;
  final String note;

  private Server(Child child, int port, int operatorPort, Backend backend, String note) {
    this.child = child;
    this.port = port;
    this.operatorPort = operatorPort;
    this.backend = backend;
    this.note = note;
  }

  /**
   * Starts a row.
   *
   * @throws SkippedException if this machine lacks what it needs
   */
  static Server start(Row row, Path home, int latency, int pool, int sinkPort)
      throws IOException, SkippedException {
    if (latency > 0 && !SlowDisk.isThere()) {
      throw new SkippedException("gcc is needed to make the disk slower");
    }
    return switch (row) {
      case A0 -> reference(home, "benchmark.server.BareServlet", Backend.NONE, List.of());
      case A -> mvc(home, Backend.NONE, "--journal=none");
      case B, C, D, G -> highwater(row, home, latency, sinkPort);
      case E -> {
        Backend postgres = Backend.postgres(home.resolve("postgres"), latency);
        yield mvc(
            home,
            postgres,
            "--journal=postgres",
            "--postgres.url=" + postgres.url(),
            "--postgres.pool=" + pool);
      }
      case F -> {
        Backend redis = Backend.redis(home.resolve("redis"), latency);
        yield mvc(home, redis, "--journal=redis", "--redis.url=" + redis.url());
      }
      case N -> {
        Backend nats = Backend.nats(home.resolve("nats"), latency);
        yield mvc(home, nats, "--journal=nats", "--nats.url=" + nats.url());
      }
    };
  }

  private static Server mvc(Path home, Backend backend, String... settings) throws IOException {
    return reference(home, "benchmark.server.MvcServer", backend, List.of(settings));
  }

  private static Server reference(Path home, String main, Backend backend, List<String> settings)
      throws IOException {
    int port = Child.freePort();
    List<String> command = javaCommand("-cp", LIBRARIES, main);
    if (settings.isEmpty()) {
      command.add(Integer.toString(port));
    } else {
      command.add("--server.port=" + port);
      command.addAll(settings);
    }
    try {
      var child = Child.start(home, Map.of(), command).awaitPort(port);
      return new Server(child, port, 0, backend, backend.note());
    } catch (IOException e) {
      backend.close();
      throw e;
    }
  }

  private static Server highwater(Row row, Path home, int latency, int sinkPort)
      throws IOException {
    List<String> command =
        row == Row.D
            ? javaCommand(
                "-cp",
                Options.target().resolve("highwater/highwater.jar")
                    + ":"
                    + Options.target().resolve("pergroup")
                    + ":"
                    + Options.target().resolve("highwater/lib")
                    + "/*",
                "benchmark.server.SyncPerGroup")
            : javaCommand("-jar", System.getProperty("bench.jar"));
    String source =
        row == Row.C
            ? "type: github\n      secrets: [\"benchmark-not-a-real-secret\"]"
            : "type: none";
    // A sink that hangs holds one attempt and costs nothing more: what is measured is the way in,
    // with the delivery rows that every hook writes.
    String attempts = row == Row.G ? "" : "  dispatch: {per-sink: 1}\n";
    return highwater(
        home,
        command,
        SlowDisk.environment(home, ".log", latency),
        attempts
            + "  sources:\n    bench:\n      "
            + source
            + "\n      sinks:\n        - {name: out, type: http, timeout: 10m, url: \"http://127.0.0.1:"
            + sinkPort
            + "/\"}\n");
  }

  /**
   * Starts Highwater in a home, with what stands below {@code highwater:}, and waits until it is
   * ready.
   */
  static Server highwater(
      Path home, List<String> command, Map<String, String> environment, String settings)
      throws IOException {
    int port = Child.freePort();
    int operatorPort = Child.freePort();
    Files.createDirectories(home);
    Files.writeString(
        home.resolve("application.yml"),
        "server: {port: %d, address: 127.0.0.1}\nmanagement: {server: {port: %d}}\n"
                .formatted(port, operatorPort)
            + "highwater:\n  data-dir: data\n  store: {ballast: 0}\n  shutdown: {grace: 0s, attempts: 0s}\n"
            + settings);
    var child = Child.start(home, environment, command);
    var server = new Server(child, port, operatorPort, Backend.NONE, "");
    child.await("readiness", () -> server.get("/readyz").contains("UP"));
    return server;
  }

  static List<String> javaCommand(String... more) {
    return javaCommand("-Xmx1g", List.of(), more);
  }

  static List<String> javaCommand(String heap, List<String> flags, String... more) {
    List<String> command =
        new ArrayList<>(List.of(Child.java(), heap, "--enable-native-access=ALL-UNNAMED"));
    command.addAll(flags);
    command.addAll(List.of(more));
    return command;
  }

  private String get(String path) {
    try {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + operatorPort + path)).build();
      return CLIENT.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** The sum of a meter over its tags; NaN where there is none. */
  double meter(String name) {
    if (operatorPort == 0) {
      return Double.NaN;
    }
    return get("/actuator/prometheus")
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .reduce(Double::sum)
        .orElse(Double.NaN);
  }

  @Override
  public void close() {
    child.close();
    backend.close();
  }
}
