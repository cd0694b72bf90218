package dev.highwater;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody looks for a fault and turns the whole log to debug. What the program and its libraries
 * print then is read by more people than the secrets are meant for (G12).
 */
class DebugLogIT {
  private static final String CANARY = "tweetytweety";

  @Test
  void theWholeLogAtDebugHoldsNoSecretAndNoBody(@TempDir Path home) throws Exception {
    try (var sink = new RecordingSink();
        var client = HttpClient.newHttpClient()) {
      RunningHighwater.configure(
          home,
          """
          sources:
            github:
              type: github
              secrets: ["${SOURCE_SECRET}", "%1$s-older"]
              sinks: [{name: out, type: http, url: "%2$s", secrets: ["%1$s-sink"]}]
            anyone:
              type: none
              dedupe: {body: id}
              sinks:
                - name: out
                  type: http
                  url: "%2$s?token=%1$s-query"
                  secrets: ["%1$s-sink"]
                  headers: {authorization: "Bearer %1$s-token"}
                - {name: gone, type: http, url: "http://127.0.0.1:1/%1$s-path?%1$s-query"}
          """
              .formatted(CANARY, sink.url()));
      var environment =
          Map.of("LOGGING_LEVEL_ROOT", "debug", "SOURCE_SECRET", CANARY + "-from-a-variable");
      try (var highwater = RunningHighwater.start(home, environment)) {
        assertThat(post(client, highwater.hooksOf("anyone"))).isEqualTo(201);
        assertThat(post(client, URI.create(highwater.hooksOf("anyone") + "?token=" + CANARY)))
            .isEqualTo(201);
        assertThat(post(client, highwater.hooksOf("github"))).isEqualTo(401);
        assertThat(post(client, highwater.hooksOf(CANARY))).isEqualTo(404);
        highwater.operator("/actuator/" + CANARY);
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () ->
                    sink.deliveries().size() >= 1
                        && highwater.meter("highwater_dispatch_attempts_seconds_count") >= 2);
        highwater.terminate();
        assertThat(highwater.hasEndedWithin(Duration.ofSeconds(60))).isTrue();

        assertThat(highwater.log()).contains("DEBUG").contains("Started Highwater");
        assertThat(highwater.log().lines().filter(DebugLogIT::tells).toList()).isEmpty();
      }
    }
  }

  private static boolean tells(String line) {
    return line.toLowerCase(Locale.ROOT).contains(CANARY);
  }

  private static int post(HttpClient client, URI address) throws Exception {
    var request =
        HttpRequest.newBuilder(address)
            .timeout(Duration.ofSeconds(20))
            .header("authorization", CANARY + "-header")
            .header("x-hub-signature-256", "sha256=" + CANARY)
            .header("cookie", "session=" + CANARY)
            .POST(BodyPublishers.ofString("{\"id\":\"" + CANARY + "-body\"}", UTF_8))
            .build();
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }
}
