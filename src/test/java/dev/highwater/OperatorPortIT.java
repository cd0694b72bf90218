package dev.highwater;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.RunningHighwater.Page;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ports, each with what belongs to it, and no secret on either (G12). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorPortIT {
  /** In every secret, body and header value there is; nothing may say it. */
  private static final String CANARY = "tweetytweety";

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<AutoCloseable> opened = new ArrayList<>(List.of(client));
  private RunningHighwater highwater;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    var sink = new RecordingSink();
    opened.add(sink);
    RunningHighwater.configure(
        home,
        """
        sources:
          github:
            type: github
            secrets: ["%1$s-source"]
            sinks:
              - name: out
                type: http
                url: "%2$s"
                secrets: ["%1$s-sink"]
                headers: {authorization: "Bearer %1$s-token"}
          anyone:
            type: none
            sinks:
              - {name: out, type: http, url: "%2$s?token=%1$s-query", secrets: ["%1$s-sink"]}
              - {name: gone, type: http, url: "http://127.0.0.1:1/%1$s-path?%1$s-query"}
        """
            .formatted(CANARY, sink.url()));
    highwater = RunningHighwater.start(home);
    opened.add(highwater);
    assertThat(post("anyone", "")).isEqualTo(201);
    assertThat(post("anyone", "?token=" + CANARY)).isEqualTo(201);
    assertThat(post("github", "")).isEqualTo(401);
    assertThat(post("nobody", "/" + CANARY)).isEqualTo(404);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                sink.deliveries().size() == 2
                    && highwater.meter("highwater_dispatch_attempts_seconds_count") >= 4);
  }

  @AfterAll
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/actuator",
        "/actuator/health",
        "/actuator/health/readiness",
        "/actuator/prometheus",
        "/actuator/env",
        "/api/v1/queue",
        "/console",
        "/error",
        "/"
      })
  void operatorPathsAreNotOnThePublicPort(String path) throws IOException {
    Page page = highwater.open(path);
    assertThat(page.status()).isEqualTo(404);
    assertThat(page.contentType()).isEqualTo("application/problem+json");
    assertThat(page.json().get("code").asString()).isEqualTo("not_found");
  }

  @Test
  void hookPathsAreNotOnTheOperatorPort() throws Exception {
    var there = URI.create("http://127.0.0.1:" + highwater.operatorPort() + "/webhooks/anyone");
    assertThat(post(there)).isEqualTo(404);
    assertThat(highwater.operator("/webhooks/anyone").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"env", "configprops", "beans", "loggers", "heapdump", "threaddump", "mappings"})
  void whatCouldShowSecretsIsNotThere(String endpoint) throws IOException {
    assertThat(highwater.operator("/actuator/" + endpoint).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/readyz"})
  void probesAnswerOnBothPortsWithAStatusAndNothingElse(String path) throws IOException {
    for (Page page : List.of(highwater.open(path), highwater.operator(path))) {
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.body()).isEqualTo("{\"status\":\"UP\"}");
    }
  }

  @Test
  void everyStageHasItsMeters() throws IOException {
    assertThat(highwater.operator("/actuator/prometheus").body())
        .contains(
            "highwater_intake_requests_total{outcome=\"accepted\",source=\"anyone\",tenant=\"default\"} 2.0",
            "highwater_intake_requests_total{outcome=\"unknown_source\",source=\"\",tenant=\"\"} 1.0",
            "highwater_intake_verification_failures_total{reason=\"missing_signature\",source=\"github\",tenant=\"default\"} 1.0",
            "highwater_intake_ack_seconds_bucket{",
            "highwater_queue_ack_queued_seconds_bucket{",
            "highwater_queue_ack_write_seconds_bucket{",
            "highwater_queue_ack_sync_seconds_bucket{",
            "highwater_queue_sync_seconds_bucket{",
            "highwater_queue_applied_seq 2.0",
            "highwater_queue_durable_seq 2.0",
            "highwater_queue_gap 0.0",
            "highwater_queue_fenced 0.0",
            "highwater_store_open 1.0",
            "highwater_store_write_failures_total{kind=\"io\"} 0.0",
            "highwater_dispatch_attempts_seconds_count{result=\"delivered\",sink=\"out\",source=\"anyone\",tenant=\"default\"} 2",
            "highwater_dispatch_backlog{sink=\"gone\",source=\"anyone\",tenant=\"default\"} 2.0");
  }

  @Test
  void noSecretAndNoBodyIsInAnythingThatIsShown() throws IOException {
    for (String path :
        List.of("/actuator", "/actuator/health", "/actuator/prometheus", "/actuator/env")) {
      assertThat(highwater.operator(path).body()).as(path).doesNotContainIgnoringCase(CANARY);
    }
    assertThat(highwater.log()).contains("Started Highwater").doesNotContainIgnoringCase(CANARY);
  }

  private int post(String source, String rest) throws Exception {
    return post(URI.create(highwater.hooksOf(source) + rest));
  }

  private int post(URI address) throws Exception {
    var request =
        HttpRequest.newBuilder(address)
            .timeout(Duration.ofSeconds(20))
            .header("authorization", CANARY + "-header")
            .header("cookie", "session=" + CANARY)
            .POST(BodyPublishers.ofString("{\"card\":\"" + CANARY + "-body\"}", UTF_8))
            .build();
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }
}
