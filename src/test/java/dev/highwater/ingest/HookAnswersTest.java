package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.hook.Answer;
import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.ErrorCode;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;
import dev.highwater.hook.Verification;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Every line of the table of answers, and what is kept of a request. */
@ExtendWith(OutputCaptureExtension.class)
class HookAnswersTest extends PublicPortFixture {

  @Test
  void aStoredHookIsAnsweredWithItsId() throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response = wire.post("/webhooks/open", "{}");

      String id = queue.only().id().toString();
      assertThat(response.status()).isEqualTo(201);
      assertThat(response.text()).isEqualTo("{\"id\":\"" + id + "\",\"status\":\"accepted\"}");
      assertThat(response.header("webhook-id")).isEqualTo(id);
      assertThat(response.header("content-type")).isEqualTo("application/json");
      assertThat(response.header("x-content-type-options")).isEqualTo("nosniff");
      assertThat(response.header("cache-control")).isEqualTo("no-store");
      assertThat(response.header("server")).isNull();
      assertObserved("default/open accepted 2");
    }
  }

  @Test
  void everythingOfTheRequestIsHandedOver() throws IOException {
    try (Wire wire = connect()) {
      wire.post("/webhooks/signed?b=2&a=%2F1", "X-Signature: good\r\nX-Event-Id: e1\r\n", "a\r\n")
          .read();
    }
    Hook.Content content = queue.only();
    assertThat(content.source()).isEqualTo(SourceRef.of("signed"));
    assertThat(content.method()).isEqualTo("POST");
    assertThat(content.target()).isEqualTo("/webhooks/signed?b=2&a=%2F1");
    assertThat(content.body()).isEqualTo("a\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(content.receivedAt()).isEqualTo(NOW.toEpochMilli());
    assertThat(content.id().high() >>> 16).isEqualTo(NOW.toEpochMilli());
    assertThat(content.verification()).isEqualTo(Verification.VERIFIED);
    assertThat(content.client()).isEqualTo("127.0.0.1");
    assertThat(content.dedupe())
        .isEqualTo(new DedupeKey("e1".getBytes(StandardCharsets.US_ASCII), Duration.ofDays(3)));
    assertThat(queue.sinks).containsExactly(new int[] {1, 2});
  }

  @Test
  void aTenantsSourceIsFoundByBothNames() throws IOException {
    try (Wire wire = connect()) {
      assertThat(wire.post("/webhooks/acme/shop", "x").status()).isEqualTo(201);
      assertThat(wire.post("/webhooks/default/open", "x").status()).isEqualTo(201);
      assertThat(wire.post("/webhooks/shop", "x").status()).isEqualTo(404);
    }
    assertThat(queue.submitted)
        .extracting(Hook.Content::source)
        .containsExactly(new SourceRef("acme", "shop"), SourceRef.of("open"));
  }

  @Test
  void aDuplicateIsAnsweredWithTheIdOfItsOriginal() throws IOException {
    HookId original = HookId.of(1, 2, 3);
    queue.answerWith(new Answer.Duplicate(original));
    try (Wire wire = connect()) {
      Wire.Response response = wire.post("/webhooks/open", "{}");
      assertThat(response.status()).isEqualTo(201);
      assertThat(response.text())
          .isEqualTo("{\"id\":\"" + original + "\",\"status\":\"duplicate\"}");
      assertThat(response.header("webhook-id")).isEqualTo(original.toString());
    }
    assertObserved("default/open duplicate 2");
  }

  @Test
  void aSourcesOwnAnswerReplacesStatusAndBody() throws IOException {
    try (Wire wire = connect()) {
      Wire.Response own = wire.post("/webhooks/own-answer", "{}");
      assertThat(own.status()).isEqualTo(200);
      assertThat(own.text()).isEqualTo("ok");
      assertThat(own.header("content-type")).isEqualTo("text/plain");
      assertThat(own.header("webhook-id")).isNotNull();

      Wire.Response nothing = wire.post("/webhooks/no-content", "{}");
      assertThat(nothing.status()).isEqualTo(204);
      assertThat(nothing.header("content-type")).isNull();

      Wire.Response empty = wire.post("/webhooks/empty-answer", "{}");
      assertThat(empty.status()).isEqualTo(200);
      assertThat(empty.header("content-length")).isEqualTo("0");
    }
  }

  @Test
  void whatFailsVerificationAndIsKeptIsAnswered202() throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response =
          wire.post("/webhooks/held?a=1", "X-Signature: bad\r\nX-Event-Id: e1\r\n", "forged")
              .read();

      assertThat(queue.submitted).isEmpty();
      assertThat(queue.quarantined).hasSize(1);
      Hook.Content content = queue.quarantined.getFirst();
      assertThat(content.verification()).isEqualTo(Verification.FAILED);
      assertThat(content.dedupe()).as("a forger takes no key (G11)").isNull();
      assertThat(content.target()).isEqualTo("/webhooks/held?a=1");
      assertThat(queue.reasons).containsExactly("no_match");
      assertThat(response.status()).isEqualTo(202);
      assertThat(response.text())
          .isEqualTo("{\"id\":\"" + content.id() + "\",\"status\":\"quarantined\"}");
      assertThat(response.header("webhook-id")).isEqualTo(content.id().toString());
    }
    assertObserved("default/held failed no_match", "default/held quarantined 6");
  }

  @Test
  void aSourcesOwnAnswerTellsAForgerNothing() throws IOException {
    try (Wire wire = connect()) {
      Wire.Response forged = wire.post("/webhooks/held-own-answer", "forged");
      Wire.Response real =
          wire.post("/webhooks/held-own-answer", "X-Signature: good\r\n", "real").read();

      assertThat(queue.quarantined).hasSize(1);
      assertThat(queue.submitted).hasSize(1);
      assertThat(forged.status()).isEqualTo(real.status()).isEqualTo(200);
      assertThat(forged.text()).isEqualTo(real.text()).isEqualTo("ok");
    }
  }

  @Test
  void aFullPenIsAnswered503() throws IOException {
    queue.penAnswers =
        content -> CompletableFuture.completedFuture(new Answer.Refused(ErrorCode.QUARANTINE_FULL));
    try (Wire wire = connect()) {
      Wire.Response response = wire.post("/webhooks/held", "forged");
      assertProblem(response, 503, "quarantine_full");
      assertThat(response.header("retry-after")).isEqualTo("1");
    }
  }

  @Test
  void noAnswerLeavesBeforeTheQueueHasGivenOne() throws IOException {
    var held = new CompletableFuture<Answer>();
    queue.answers = content -> held;
    try (Wire wire = connect()) {
      wire.post("/webhooks/open", "", "{}");
      await().until(() -> queue.submitted.size() == 1);
      assertThat(wire.hearsWithin(200)).isFalse();
      assertThat(observer.seen).isEmpty();

      held.complete(new Answer.Stored(queue.only().id()));
      assertThat(wire.read().status()).isEqualTo(201);
    }
  }

  @Test
  void aForgedHookIsRefusedWithItsReasonAndLeavesNothing() throws IOException {
    try (Wire wire = connect()) {
      Wire.Response missing = wire.post("/webhooks/signed", "{}");
      assertProblem(missing, 401, "verification_failed");
      assertThat(missing.text()).contains("\"reason\":\"missing_signature\"");

      Wire.Response wrong = wire.post("/webhooks/signed", "X-Signature: bad\r\n", "{}").read();
      assertThat(wrong.text()).contains("\"reason\":\"no_match\"");
    }
    assertThat(queue.submitted).isEmpty();
    assertObserved(
        "default/signed failed missing_signature",
        "default/signed verification_failed 2",
        "default/signed failed no_match",
        "default/signed verification_failed 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "OPTIONS", "PUT", "PATCH", "DELETE", "post", "PROPFIND"})
  void aMethodTheSourceDoesNotListIsRefused(String method) throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response =
          wire.send(method + " /webhooks/open HTTP/1.1\r\nHost: h\r\n\r\n").read();
      assertProblem(response, 405, "method_not_allowed");
      assertThat(response.header("allow")).isEqualTo("POST");
    }
  }

  @Test
  void headIsRefusedWithoutABody() throws IOException {
    try (Wire wire = connect()) {
      wire.send("HEAD /webhooks/open HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(wire.readHead().status()).isEqualTo(405);
      assertThat(wire.post("/webhooks/open", "{}").status()).isEqualTo(201);
    }
  }

  @Test
  void aBrowsersPreflightIsAMethodLikeAnyOther() throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response =
          wire.head(
                  "OPTIONS /webhooks/open HTTP/1.1",
                  "Host: h",
                  "Origin: https://example.org",
                  "Access-Control-Request-Method: POST")
              .read();
      assertProblem(response, 405, "method_not_allowed");
      assertThat(response.header("access-control-allow-origin")).isNull();
    }
  }

  @Test
  void aMethodTheSourceListsBringsAHook() throws IOException {
    try (Wire wire = connect()) {
      wire.send(
          "PUT /webhooks/puts HTTP/1.1\r\nHost: h\r\nContent-Type:"
              + " application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b");
      assertThat(wire.read().status()).isEqualTo(201);
      Wire.Response refused = wire.send("GET /webhooks/puts HTTP/1.1\r\nHost: h\r\n\r\n").read();
      assertThat(refused.header("allow")).isEqualTo("POST, PUT");
    }
    assertThat(queue.only().method()).isEqualTo("PUT");
    assertThat(queue.only().body()).isEqualTo("a=b".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void aHeaderByteOutsidePrintableAsciiIsRefused() throws IOException {
    for (String header : List.of("X-A: a\u00ffb", "X-A: a\u0080", "X-A: \u00e9")) {
      try (Wire wire = connect()) {
        Wire.Response response = wire.post("/webhooks/open", header + "\r\n", "{}").read();
        assertProblem(response, 400, "invalid_header");
      }
    }
    // The server itself refuses these.
    for (String header : List.of("X-A: a\u0001b", "X-A: a\u007fb", "X(A: a", "X\u00ffA: a")) {
      try (Wire wire = connect()) {
        assertThat(wire.post("/webhooks/open", header + "\r\n", "{}").read().status())
            .as(header)
            .isEqualTo(400);
      }
    }
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void headersAreKeptInOrderAndSpellingWithTheirDuplicates() throws IOException {
    try (Wire wire = connect()) {
      wire.post("/webhooks/open", "X-B: 1\r\nX-A:  a\tb \r\nX-B: 2\r\nX-Empty:\r\nx-b: 3\r\n", "")
          .read();
    }
    List<String> headers = new ArrayList<>();
    queue.only().headers().forEach((name, value) -> headers.add(name + "=" + value));
    assertThat(headers)
        .containsExactly(
            "Host=h", "X-B=1", "X-A=a\tb", "X-B=2", "X-Empty=", "x-b=3", "Content-Length=0");
  }

  @Test
  void forwardingHeadersAreDataLikeAnyOther() throws IOException {
    try (Wire wire = connect()) {
      wire.post("/webhooks/open", "X-Forwarded-For: 9.9.9.9\r\nX-Forwarded-Proto: ftp\r\n", "")
          .read();
    }
    assertThat(queue.only().client()).isEqualTo("127.0.0.1");
    assertThat(queue.only().headers().first("x-forwarded-for")).isEqualTo("9.9.9.9");
    assertThat(queue.only().headers().first("x-forwarded-proto")).isEqualTo("ftp");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/xml", "text/html", "*/*;q=0", "image/png", "junk", "a/b;q=junk", ""})
  void theAnswerIsTheSameWhateverTheClientAsksFor(String accept) throws IOException {
    String header = "Accept: " + accept + "\r\nAccept-Language: ???\r\nOrigin: https://e.org\r\n";
    try (Wire wire = connect()) {
      Wire.Response accepted = wire.post("/webhooks/open", header, "{}").read();
      assertThat(accepted.status()).isEqualTo(201);
      assertThat(accepted.header("content-type")).isEqualTo("application/json");
      assertProblem(wire.post("/webhooks/none", header, "{}").read(), 404, "unknown_source");
      assertProblem(wire.post("/elsewhere", header, "{}").read(), 404, "not_found");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "application/x-www-form-urlencoded",
        "application/json; charset=utf-999",
        "not a type"
      })
  void aBodyOfAnyTypeIsKeptByteForByte(String type) throws IOException {
    String body = "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\u0000\u00ff\r\n--x--\r\n";
    try (Wire wire = connect()) {
      wire.post("/webhooks/open?_method=DELETE", "Content-Type: " + type + "\r\n", body);
      assertThat(wire.read().status()).isEqualTo(201);
    }
    assertThat(queue.only().body()).isEqualTo(body.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(queue.only().method()).isEqualTo("POST");
  }

  @Test
  void aGzippedBodyIsKeptAsItArrived() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(new byte[100_000]);
    }
    String body = bytes.toString(StandardCharsets.ISO_8859_1);
    try (Wire wire = connect()) {
      wire.post("/webhooks/open", "Content-Encoding: gzip\r\n", body);
      assertThat(wire.read().status()).isEqualTo(201);
    }
    assertThat(queue.only().body()).isEqualTo(bytes.toByteArray());
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "deflate"})
  void aBodyThatDoesNotInflateAsItSaysIsRefused(String encoding) throws IOException {
    try (Wire wire = connect()) {
      wire.post("/webhooks/open", "Content-Encoding: " + encoding + "\r\n", "{\"id\":1}");
      assertProblem(wire.read(), 400, "invalid_encoding");
    }
    assertObserved("default/open invalid_encoding 8");
    try (Wire wire = connect()) {
      wire.post("/webhooks/open", "Content-Encoding: " + encoding + "\r\n", "");
      assertThat(wire.read().status()).as("nothing to inflate").isEqualTo(201);
    }
    assertThat(queue.only().body()).isEmpty();
    assertObserved("default/open invalid_encoding 8", "default/open accepted 0");
  }

  @Test
  void aForgerHasNothingInflated() throws IOException {
    try (Wire wire = connect()) {
      wire.post("/webhooks/signed", "X-Signature: bad\r\nContent-Encoding: gzip\r\n", "{}");
      assertProblem(wire.read(), 401, "verification_failed");
    }
  }

  @Test
  void anEncodingThatCouldNotBeInflatedIsRefused() throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response = wire.post("/webhooks/open", "Content-Encoding: br\r\n", "{}").read();
      assertProblem(response, 415, "unsupported_encoding");
      assertThat(wire.post("/webhooks/open", "Content-Encoding: identity\r\n", "").read().status())
          .isEqualTo(201);
    }
  }

  @Test
  void aRequestWithoutABodyIsAHookWithAnEmptyOne() throws IOException {
    try (Wire wire = connect()) {
      wire.send("POST /webhooks/open HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(201);
    }
    assertThat(queue.only().body()).isEmpty();
  }

  @Test
  void bodiesOfEverySizeArriveWhole() throws IOException {
    try (Wire wire = connect()) {
      for (int size : new int[] {1, 8191, 8192, 8193, 65_536, 65_537, 1_000_000, 1 << 20}) {
        byte[] body = new byte[size];
        for (int i = 0; i < size; i++) {
          body[i] = (byte) (i * 31 + i / 256);
        }
        queue.reset();
        wire.send("POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: " + size + "\r\n\r\n")
            .send(body);
        assertThat(wire.read().status()).isEqualTo(201);
        assertThat(queue.only().body()).isEqualTo(body);
        assertThat(queue.mostBytes).hasValue(size);
      }
    }
  }

  @Test
  void aRefusalThatHoldsAlreadyIsAnsweredWithoutTheBody() throws IOException {
    queue.refusal = new Answer.Refused(ErrorCode.STORE_UNAVAILABLE, Duration.ofMillis(1500));
    try (Wire wire = connect()) {
      Wire.Response response =
          wire.send("POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n").read();
      assertProblem(response, 503, "store_unavailable");
      assertThat(response.header("retry-after")).isEqualTo("2");
    }
    assertObserved("default/open store_unavailable 0");
  }

  @Test
  void withoutRoomForOneMoreTheAnswerIsOverloadAtOnce() throws IOException {
    queue.full = true;
    try (Wire wire = connect()) {
      Wire.Response response =
          wire.send("POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n").read();
      assertProblem(response, 503, "overload");
      assertThat(response.header("retry-after")).isEqualTo("1");
    }
  }

  @Test
  void whenBytesRunOutInTheMiddleOfABodyTheAnswerIsOverload() throws IOException {
    queue.byteBound = 100_000;
    try (Wire wire = connect()) {
      wire.send("POST /webhooks/large HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\n");
      wire.send(new byte[120_000]);
      assertProblem(wire.read(), 503, "overload");
    }
    assertThat(queue.mostBytes.get()).isLessThanOrEqualTo(100_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"OVERLOAD", "STORE_UNAVAILABLE", "BACKLOG_FULL", "DEAD_LETTERS_FULL", "DRAINING"})
  void whatTheQueueRefusesIsA503ThatSaysWhenToComeBack(ErrorCode code) throws IOException {
    queue.answerWith(new Answer.Refused(code, Duration.ZERO));
    try (Wire wire = connect()) {
      Wire.Response response = wire.post("/webhooks/open", "{}");
      assertProblem(response, 503, code.code());
      assertThat(response.header("retry-after")).isEqualTo("1");
    }
  }

  @Test
  void whoeverWaitsForTheDiskHoldsNoBody() throws IOException {
    var answer = new CompletableFuture<Answer>();
    queue.answers = content -> answer;
    try (Wire wire = connect()) {
      wire.send("POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}");
      try {
        soon(() -> assertThat(queue.submitted).hasSize(1));
        var body = new WeakReference<>(queue.only().body());
        queue.submitted.clear();
        await()
            .untilAsserted(
                () -> {
                  System.gc();
                  assertThat(body.get()).isNull();
                });
      } finally {
        answer.complete(new Answer.Refused(ErrorCode.STORE_UNAVAILABLE));
      }
      assertThat(wire.read().status()).isEqualTo(503);
    }
  }

  @Test
  void ourOwnFaultIsA503ThatSaysNothingOfTheRequest(CapturedOutput output) throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response =
          wire.post("/webhooks/faulty", "X-Secret: canary-header\r\n", "canary-body").read();
      assertProblem(response, 503, "internal_error");
      assertThat(response.header("retry-after")).isEqualTo("1");
    }
    assertThat(output.getAll()).doesNotContain("canary");
    assertThat(output.getAll().lines().filter(line -> line.contains("default/faulty")))
        .singleElement()
        .asString()
        .contains("IllegalStateException");
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void aDeclaredLengthAboveTheLimitIsRefusedBeforeAnyBodyIsSent() throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response =
          wire.send("POST /webhooks/small HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n")
              .read();
      assertProblem(response, 413, "payload_too_large");
      assertThat(response.text()).contains("\"limit\":100}");
    }
    try (Wire wire = connect()) {
      Wire.Response response =
          wire.send(
                  "POST /webhooks/small HTTP/1.1\r\nHost: h\r\nContent-Length:"
                      + " 9223372036854775807\r\n\r\n")
              .read();
      assertProblem(response, 413, "payload_too_large");
    }
    try (Wire wire = connect()) {
      assertThat(wire.post("/webhooks/small", "x".repeat(100)).status()).isEqualTo(201);
    }
  }
}
