package benchmark.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs the load generator in its process and listens to what it says. */
final class Load {
  private Load() {}

  /** What of the generator's numbers belongs to one phase. */
  record Result(Map<String, Double> numbers) {
    double get(String key) {
      return numbers.getOrDefault(key, 0.0);
    }

    /** What is not as it should be, or empty. */
    String errors() {
      var text = new StringBuilder();
      numbers.forEach(
          (key, value) -> {
            boolean counts =
                key.startsWith("status_") || key.equals("broken") || key.equals("unanswered");
            if (counts && value > 0) {
              text.append(key.replace("status_", ""))
                  .append(": ")
                  .append(value.longValue())
                  .append(' ');
            }
          });
      return text.toString().strip();
    }
  }

  /**
   * Runs phases against a server.
   *
   * @param edge is told {@code BEGIN} and {@code END} at the moments the generator says so
   */
  static List<Result> run(
      int port, int connections, int bodyBytes, Consumer<String> edge, String... phases)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Child.java(),
                "-Xmx512m",
                "-XX:MaxDirectMemorySize=2g",
                "-XX:+UseSerialGC",
                "-cp",
                Options.target().resolve("classes") + ":" + Options.target().resolve("lib") + "/*",
                "benchmark.load.LoadGenerator",
                Integer.toString(port),
                "/webhooks/bench",
                Integer.toString(connections),
                Integer.toString(bodyBytes)));
    command.addAll(List.of(phases));
    var process =
        Child.endWithThisProcess(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    List<Result> results = new ArrayList<>();
    try (var lines =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var orders =
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("RESULT ")) {
          results.add(parse(line.substring(7)));
        } else {
          edge.accept(line);
          if (line.equals("BEGIN")) {
            orders.write("GO\n");
            orders.flush();
          }
        }
      }
    } finally {
      process.destroy();
    }
    try {
      if (process.waitFor() != 0) {
        throw new IOException("the load generator failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    return results;
  }

  private static Result parse(String line) {
    Map<String, Double> numbers = new HashMap<>();
    for (String pair : line.split(" ")) {
      String[] sides = pair.split("=");
      numbers.put(sides[0], Double.valueOf(sides[1]));
    }
    return new Result(Map.copyOf(numbers));
  }
}
