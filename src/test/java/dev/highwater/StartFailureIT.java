package dev.highwater;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as it is shipped, started wrongly. */
class StartFailureIT {
  @TempDir Path directory;

  @Test
  void aMisspeltNameEndsTheProcessWithOneLineAndStatusOne() throws Exception {
    Ended ended = run(List.of("--highwater.flux-capacitor=1"), Map.of());

    assertThat(ended.status).isEqualTo(1);
    assertThat(ended.lines)
        .singleElement()
        .asString()
        .startsWith(
            "highwater cannot start: highwater.flux-capacitor (command line) is not a setting");
  }

  @Test
  void aMisspeltEnvironmentVariableDoesToo() throws Exception {
    Ended ended = run(List.of(), Map.of("HIGHWATER_FLUXCAPACITOR", "1"));

    assertThat(ended.status).isEqualTo(1);
    assertThat(ended.lines)
        .singleElement()
        .asString()
        .startsWith(
            "highwater cannot start: environment variable HIGHWATER_FLUXCAPACITOR is not a setting");
  }

  private record Ended(int status, List<String> lines) {}

  private Ended run(List<String> args, Map<String, String> environment)
      throws IOException, InterruptedException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    String jar = System.getProperty("test.jar");
    Path output = directory.resolve("output");
    var builder =
        new ProcessBuilder(Stream.concat(Stream.of(java, "-jar", jar), args.stream()).toList())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended within a minute").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readAllLines(output, UTF_8));
  }
}
