package benchmark.rig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The same closed loop by another tool, to see whether ours can be believed. Unsigned requests
 * only.
 */
final class Wrk {
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

  private Wrk() {}

  static double run(int port, Cell cell, int seconds) throws IOException {
    Path script = Options.target().resolve("data/wrk.lua");
    Files.writeString(
        script,
        """
        local threads = 0
        function setup(thread) thread:set("number", threads); threads = threads + 1 end
        local body = '{"hook":"' .. string.rep("x", %d) .. '"}'
        local count = 0
        local head = {["Content-Type"] = "application/json", ["X-GitHub-Event"] = "push"}
        function request()
          count = count + 1
          head["X-GitHub-Delivery"] = string.format("wrk-%%d-%%d-%%d", os.time(), number, count)
          return wrk.format("POST", "/webhooks/bench", head, body)
        end
        """
            .formatted(cell.bodyBytes() - 11));
    var process =
        new ProcessBuilder(
                "wrk",
                "-t1",
                "-c" + cell.connections(),
                "-d" + seconds + "s",
                "-s",
                script.toString(),
                "http://127.0.0.1:" + port)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var rate = RATE.matcher(said);
    if (!rate.find() || said.contains("Non-2xx")) {
      System.out.println("    wrk: " + said.strip());
      return Double.NaN;
    }
    return Double.parseDouble(rate.group(1));
  }
}
