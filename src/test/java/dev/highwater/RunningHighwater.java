package dev.highwater;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The jar as it is shipped, running as a process of its own in a home directory, with an {@code
 * application.yml} and its data beside it. Started again in the same home it finds what the last
 * one left. Its ports are free ones that it says itself.
 */
final class RunningHighwater implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(90);
  private static final Pattern PUBLIC_PORT = Pattern.compile("Post to http://[^/]+:(\\d+)/");
  private static final Pattern OPERATOR_PORT = Pattern.compile("Operators: http://[^/]+:(\\d+)/");

  private static final String BASE =
      """
      server: {port: 0}
      management: {server: {port: 0}}
      """;

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private final Process process;
  private final Path output;

  private RunningHighwater(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** An answer of either port, whatever its status. */
  record Page(int status, String contentType, String body) {
    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  /**
   * Writes the configuration of a home.
   *
   * @param highwater what stands below {@code highwater:}, not indented
   */
  static void configure(Path home, String highwater) throws IOException {
    Files.writeString(
        home.resolve("application.yml"),
        BASE + "highwater:\n  data-dir: data\n" + highwater.indent(2));
  }

  /** Starts it and waits until it is ready. */
  static RunningHighwater start(Path home) throws IOException {
    return start(home, Map.of());
  }

  /** Starts it and waits until it is ready. */
  static RunningHighwater start(Path home, Map<String, String> environment) throws IOException {
    RunningHighwater started = launch(home, environment);
    try {
      started.awaitReady(LONGEST_START);
    } catch (Throwable e) {
      started.close();
      throw new AssertionError("did not get ready:\n" + started.log(), e);
    }
    return started;
  }

  /** Starts it and does not wait. */
  static RunningHighwater launch(Path home, Map<String, String> environment) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    // Not *.log: what is made to fail by that name is the store's.
    Path output = Files.createTempFile(home, "output", ".txt");
    var builder =
        new ProcessBuilder(
                List.of(
                    java,
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xshare:auto",
                    "-jar",
                    System.getProperty("test.jar")))
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return new RunningHighwater(builder.start(), output);
  }

  /** Waits until readiness is up. */
  void awaitReady(Duration atMost) {
    await()
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(50))
        .failFast("the process has ended", () -> !process.isAlive())
        .until(() -> portIn(OPERATOR_PORT) != null && operator("/readyz").status() == 200);
  }

  /** Where hooks of that source go. */
  URI hooksOf(String source) {
    return URI.create("http://127.0.0.1:" + port(PUBLIC_PORT) + "/webhooks/" + source);
  }

  /** GETs a path of the public port. */
  Page open(String path) throws IOException {
    return get(port(PUBLIC_PORT), path);
  }

  /** GETs a path of the operator port. */
  Page operator(String path) throws IOException {
    return get(port(OPERATOR_PORT), path);
  }

  int publicPort() {
    return port(PUBLIC_PORT);
  }

  int operatorPort() {
    return port(OPERATOR_PORT);
  }

  /** The health of a component: its {@code status} and {@code details}. */
  JsonNode health(String component) throws IOException {
    return operator("/actuator/health").json().get("components").get(component);
  }

  /** A number of the component {@code queue}. */
  long queue(String detail) throws IOException {
    return health("queue").get("details").get(detail).asLong();
  }

  /**
   * The value of a meter, the sum of all its series.
   *
   * @param name as Prometheus writes it
   */
  double meter(String name) throws IOException {
    List<String> series =
        operator("/actuator/prometheus")
            .body()
            .lines()
            .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
            .toList();
    if (series.isEmpty()) {
      throw new AssertionError("there is no " + name);
    }
    return series.stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Waits until nothing is left to be delivered. */
  void awaitEverythingDelivered(Duration atMost) {
    await()
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              long backlog = health("dispatch").get("details").get("backlog").asLong();
              if (backlog != 0) {
                throw new AssertionError(backlog + " deliveries are pending");
              }
            });
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** SIGKILL; it is gone when this returns. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /**
   * Waits for the end of the process.
   *
   * @return whether it has ended
   */
  boolean hasEndedWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  int exitCode() {
    return process.exitValue();
  }

  /** All it has printed so far. */
  String log() {
    try {
      return Files.readString(output, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills what is still alive. */
  @Override
  public void close() {
    process.destroyForcibly();
  }

  private int port(Pattern line) {
    Integer port = portIn(line);
    if (port == null) {
      throw new IllegalStateException("it has not said its ports yet");
    }
    return port;
  }

  private @Nullable Integer portIn(Pattern line) {
    Matcher matcher = line.matcher(log());
    return matcher.find() ? Integer.valueOf(matcher.group(1)) : null;
  }

  private static Page get(int port, String path) throws IOException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(10))
            .build();
    try {
      var response = CLIENT.send(request, BodyHandlers.ofString());
      return new Page(
          response.statusCode(),
          response.headers().firstValue("content-type").orElse(""),
          response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
