package dev.highwater;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.RecordingSink.Delivery;
import dev.highwater.signature.Vector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A webhook as GitHub sends it, signed by GitHub's own library, from the request to the sink. */
class GithubIT {
  private static final String KEY = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  @TempDir Path home;

  @Test
  void aSignedHookIsDeliveredOnceAndSignedAnew() throws Exception {
    Vector signed = Vector.named("github-octokit");
    try (var sink = new RecordingSink();
        var client = HttpClient.newHttpClient()) {
      RunningHighwater.configure(
          home,
          """
          sources:
            github:
              type: github
              secrets: ["%s"]
              sinks:
                - {name: builds, type: http, url: "%s", secrets: ["whsec_%s"]}
          """
              .formatted(signed.secret(), sink.url(), KEY));
      try (var highwater = RunningHighwater.start(home)) {
        var github = new Github(client, highwater, signed);

        HttpResponse<String> first = github.deliver("72d3162e-cc78-11e3-81ab-4c9367dc0958");
        assertThat(first.statusCode()).isEqualTo(201);
        String id = json(first).get("id").asString();
        assertThat(json(first).get("status").asString()).isEqualTo("accepted");
        assertThat(first.headers().firstValue("webhook-id")).hasValue(id);

        HttpResponse<String> again = github.deliver("72d3162e-cc78-11e3-81ab-4c9367dc0958");
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(json(again).get("status").asString()).isEqualTo("duplicate");
        assertThat(json(again).get("id").asString()).isEqualTo(id);
        assertThat(again.headers().firstValue("webhook-id")).hasValue(id);

        for (int i : new int[] {0, signed.body().length / 2, signed.body().length - 1}) {
          byte[] forged = signed.body().clone();
          forged[i] ^= 1;
          HttpResponse<String> refused = github.deliver("forged-" + i, forged);
          assertThat(refused.statusCode()).isEqualTo(401);
          assertThat(refused.headers().firstValue("content-type"))
              .hasValue("application/problem+json");
          assertThat(json(refused).get("code").asString()).isEqualTo("verification_failed");
          assertThat(json(refused).get("reason").asString()).isEqualTo("no_match");
        }

        await().atMost(Duration.ofSeconds(10)).until(() -> !sink.deliveries().isEmpty());
        highwater.awaitEverythingDelivered(Duration.ofSeconds(10));
        assertThat(sink.deliveries()).singleElement().satisfies(d -> isGenuine(d, id, signed));
        assertThat(highwater.queue("appliedSeq")).as("nothing else was stored").isEqualTo(1);
      }
    }
  }

  /** By hand, as the page of Standard Webhooks says it. */
  private static void isGenuine(Delivery delivery, String id, Vector signed) throws Exception {
    assertThat(delivery.hookId()).isEqualTo(id);
    assertThat(delivery.digest()).isEqualTo(Sender.digest(signed.body()));
    String timestamp = delivery.header("webhook-timestamp");
    assertThat(Instant.ofEpochSecond(Long.parseLong(timestamp)))
        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
    String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.body()));
    assertThat(delivery.header("webhook-signature")).isEqualTo(expected);

    assertThat(delivery.header("x-github-event")).isEqualTo("ping");
    assertThat(delivery.header("x-hub-signature-256"))
        .isEqualTo(signed.header("X-Hub-Signature-256"));
    assertThat(delivery.header("highwater-source")).isEqualTo("github");
    assertThat(delivery.header("highwater-verified")).isEqualTo("verified");
    assertThat(delivery.header("highwater-attempt")).isEqualTo("1");
  }

  private static JsonNode json(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body());
  }

  private record Github(HttpClient client, RunningHighwater highwater, Vector signed) {
    HttpResponse<String> deliver(String delivery) throws Exception {
      return deliver(delivery, signed.body());
    }

    HttpResponse<String> deliver(String delivery, byte[] body) throws Exception {
      var request =
          HttpRequest.newBuilder(highwater.hooksOf("github"))
              .timeout(Duration.ofSeconds(20))
              .header("content-type", "application/json")
              .header("user-agent", "GitHub-Hookshot/044aadd")
              .header("x-github-event", "ping")
              .header("x-github-delivery", delivery)
              .header("x-hub-signature-256", signed.header("X-Hub-Signature-256"))
              .POST(BodyPublishers.ofByteArray(body))
              .build();
      return client.send(request, BodyHandlers.ofString());
    }
  }
}
