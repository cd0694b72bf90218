package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** There is one spelling for each source, and nothing else on the port. */
@ExtendWith(OutputCaptureExtension.class)
class StrictPathTest extends PublicPortFixture {
  @Autowired MeterRegistry meters;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/webhooks",
        "/webhooks/",
        "/webhooks/open/",
        "/webhooks//open",
        "//webhooks/open",
        "/webhooks/open//",
        "/webhooks/OPEN",
        "/WEBHOOKS/open",
        "/webhooks/open;x=y",
        "/webhooks;x=y/open",
        "/webhooks/;x=y/open",
        "/webhooks/acme;x=y/shop",
        "/webhooks/./open",
        "/webhooks/acme/../open",
        "/webhooks/x/../open",
        "/x/../webhooks/open",
        "/webhooks/acme%2Fshop",
        "/webhooks/acme%2fshop",
        "/webhooks/acme%5Cshop",
        "/webhooks/%6Fpen",
        "/webhooks/open%20",
        "/webhooks/acme/%2e%2e/open",
        "/%77ebhooks/open",
        "/webhooks/open.json",
        "/webhooks/open/extra/more",
        "/webhooks/acme/shop/extra",
        "/webhooks/-open",
        "/webhooks/none",
        "/webhooks/none/open",
        "/",
        "/error",
        "/favicon.ico",
        "/index.html",
        "/application.yml",
        "/actuator",
        "/actuator/health",
        "/actuator/prometheus",
        "/api/v1/hooks",
        "/console",
        "/in/token",
        "/anything/else"
      })
  void everyOtherSpellingIsA404(String path) throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response = wire.post(path, "{}");
      assertThat(response.status()).isEqualTo(404);
      assertProblem(
          response,
          404,
          path.contains("ebhooks") && response.text().contains("unknown")
              ? "unknown_source"
              : "not_found");
      assertThat(wire.post("/webhooks/open", "{}").status()).isEqualTo(201);
    }
    assertThat(queue.only().target()).isEqualTo("/webhooks/open");
  }

  /** JavaScript's URLs leave these as they are, and many a sender is written in it. */
  @Test
  void aQueryMayHoldWhatSendersDoNotEscape() throws IOException {
    String target = "/webhooks/open?filter[type]={a|b}&m=^`\\";
    try (Wire wire = connect()) {
      assertThat(wire.post(target, "{}").status()).isEqualTo(201);
    }
    assertThat(queue.only().target()).isEqualTo(target);
  }

  /** These the server does not take for a path at all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/webhooks/../../open",
        "/webhooks/%00",
        "/webhooks/%zz",
        "/webhooks\\open",
        "/webhooks/o|pen",
        "/webhooks/\u00e9",
        "webhooks/open"
      })
  void whatIsNoPathIsRefusedAsAProblem(String path) throws IOException {
    try (Wire wire = connect()) {
      assertProblem(wire.post(path, "{}"), 400, "bad_request");
    }
    assertThat(queue.submitted).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "OPTIONS", "DELETE", "BREW"})
  void nothingIsThereForAnyMethod(String method) throws IOException {
    try (Wire wire = connect()) {
      assertProblem(
          wire.send(method + " /error HTTP/1.1\r\nHost: h\r\n\r\n").read(), 404, "not_found");
      assertProblem(
          wire.send(method + " /webhooks/none HTTP/1.1\r\nHost: h\r\n\r\n").read(),
          404,
          "unknown_source");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/readyz"})
  void aProbeAskedTheWrongWayWritesNoLine(String path, CapturedOutput output) throws IOException {
    try (Wire wire = connect()) {
      assertProblem(wire.post(path, "{}"), 405, "method_not_allowed");
    }
    assertThat(output.getAll()).doesNotContain("not supported");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/readyz"})
  void probesAreAnsweredHereToo(String path) throws IOException {
    try (Wire wire = connect()) {
      assertThat(
              wire.head("GET " + path + " HTTP/1.1", "Host: h", "Connection: close")
                  .read()
                  .status())
          .isEqualTo(200);
    }
  }

  @Test
  void anUnknownSourceIsAnsweredWithoutItsBody() throws IOException {
    try (Wire wire = connect()) {
      wire.send("POST /webhooks/none HTTP/1.1\r\nHost: h\r\nContent-Length: 8000000\r\n\r\n");
      assertProblem(wire.read(), 404, "unknown_source");
    }
    assertObserved("- unknown_source 0");
  }

  private Set<Meter.Id> httpMeters() {
    return meters.getMeters().stream()
        .map(Meter::getId)
        .filter(id -> !id.getName().startsWith("jvm."))
        .collect(Collectors.toSet());
  }

  @Test
  void randomPathsMakeNoMeters() throws IOException {
    var random = new Random(7);
    try (Wire wire = connect()) {
      // The first of each kind makes its meters.
      wire.post("/webhooks/none", "");
      wire.post("/none", "");
      Set<Meter.Id> before = httpMeters();
      for (int batch = 0; batch < 200; batch++) {
        var requests = new StringBuilder();
        for (int i = 0; i < 100; i++) {
          String path = Long.toString(random.nextLong() >>> 1, 36);
          requests
              .append("POST ")
              .append(i % 2 == 0 ? "/webhooks/" + path : "/" + path + "/" + i)
              .append(" HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
        }
        wire.send(requests.toString());
        for (int i = 0; i < 100; i++) {
          assertThat(wire.read().status()).isEqualTo(404);
        }
      }
      assertThat(httpMeters()).isEqualTo(before).isNotEmpty();
    }
    soon(() -> assertThat(observer.seen).hasSize(20_002).allMatch(line -> line.startsWith("- ")));
  }
}
