package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

/** What clients do with a connection: wait for a 100, pipeline, chunk, break off, send rubbish. */
@ExtendWith(OutputCaptureExtension.class)
class ConnectionTest extends PublicPortFixture {
  private static final String CHUNKED =
      "POST /webhooks/%s HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String EXPECTING =
      "POST /webhooks/%s HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n";

  @Autowired ApplicationContext context;

  @Test
  void aKnownSourceAsksForTheBody() throws IOException {
    try (Wire wire = connect()) {
      wire.send(EXPECTING.formatted("open", 2));
      assertThat(wire.read().status()).isEqualTo(100);
      assertThat(wire.send("{}").read().status()).isEqualTo(201);
      assertThat(wire.post("/webhooks/open", "{}").status()).isEqualTo(201);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none:404", "small:413", "OPEN:404"})
  void whatIsRefusedUnreadIsNotAskedForItsBody(String sourceAndStatus) throws IOException {
    String[] parts = sourceAndStatus.split(":", 2);
    try (Wire wire = connect()) {
      wire.send(EXPECTING.formatted(parts[0], 1000));
      assertThat(wire.read().status()).isEqualTo(Integer.parseInt(parts[1]));
    }
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void anOverloadedQueueIsNotAskedForTheBodyEither() throws IOException {
    queue.full = true;
    try (Wire wire = connect()) {
      assertProblem(wire.send(EXPECTING.formatted("open", 2)).read(), 503, "overload");
    }
  }

  @Test
  void anUnknownExpectationIsABadRequest() throws IOException {
    try (Wire wire = connect()) {
      assertProblem(
          wire.post("/webhooks/open", "Expect: cake\r\n", "{}").read(), 400, "bad_request");
    }
  }

  @Test
  void aChunkedBodyArrivesWhole() throws IOException {
    try (Wire wire = connect()) {
      wire.send(CHUNKED.formatted("open"))
          .send("3\r\nabc\r\n")
          .send("4;ext=1\r\ndefg\r\n")
          .send("0\r\nX-Trailer: t\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(201);
      assertThat(wire.post("/webhooks/open", "next").status()).isEqualTo(201);
    }
    assertThat(queue.submitted)
        .extracting(content -> new String(content.body(), StandardCharsets.US_ASCII))
        .containsExactly("abcdefg", "next");
  }

  @Test
  void aChunkedBodyOfExactlyTheLimitIsTaken() throws IOException {
    try (Wire wire = connect()) {
      wire.send(CHUNKED.formatted("small")).send("64\r\n" + "x".repeat(100) + "\r\n0\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(201);
    }
    assertThat(queue.only().body()).hasSize(100);
  }

  @Test
  void aChunkedBodyThatNeverEndsIsRefusedAtTheLimit() throws IOException {
    try (Wire wire = connect()) {
      wire.send(CHUNKED.formatted("small"));
      for (int i = 0; i < 11; i++) {
        wire.send("a\r\n0123456789\r\n");
      }
      Wire.Response response = wire.read();
      assertProblem(response, 413, "payload_too_large");
      assertThat(response.text()).contains("\"limit\":100}");
      assertThat(response.header("connection")).isEqualTo("close");
    }
    assertThat(queue.submitted).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"zz\r\nabc\r\n", "-1\r\nabc\r\n", "ffffffffff\r\n", "2\r\nabc\r\n0\r\n\r\n"})
  void brokenChunksAreABodyThatCannotBeRead(String chunks) throws IOException {
    try (Wire wire = connect()) {
      wire.send(CHUNKED.formatted("open")).send(chunks);
      assertProblem(wire.read(), 400, "body_read_failed");
    }
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void aBodyThatEndsEarlyIsNotStored() throws IOException {
    Wire declared = connect();
    declared.send("POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n12345");
    Wire chunked = connect();
    chunked.send(CHUNKED.formatted("open")).send("5\r\n12345\r\n");
    soon(() -> assertThat(queue.openBytes).hasValue(10));
    declared.reset();
    chunked.close();
    soon(() -> assertThat(queue.openPermits).hasValue(0));
    soon(
        () ->
            assertThat(observer.seen)
                .containsExactly(
                    "default/open body_read_failed 0", "default/open body_read_failed 0"));
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void aClientThatLeavesBeforeItsAnswerLosesNothingButTheAnswer() throws IOException {
    var held = new CompletableFuture<Answer>();
    queue.answers = content -> held;
    Wire wire = connect();
    wire.post("/webhooks/open", "", "{}");
    soon(() -> assertThat(queue.submitted).hasSize(1));
    wire.reset();
    held.complete(new Answer.Stored(queue.only().id()));
    assertObserved("default/open accepted 2");
  }

  @Test
  void requestsBehindARefusedOneAreServed() throws IOException {
    try (Wire wire = connect()) {
      wire.post("/webhooks/none", "", "POST /webhooks/open HTTP/1.1\r\n\r\n");
      wire.post("/webhooks/open", "", "first");
      wire.post("/none", "", "x".repeat(50_000));
      wire.post("/webhooks/signed", "", "x");
      wire.send("PUT /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
      wire.post("/webhooks/open", "", "second");
      for (int status : new int[] {404, 201, 404, 401, 405, 201}) {
        assertThat(wire.read().status()).isEqualTo(status);
      }
    }
    assertThat(queue.submitted)
        .extracting(content -> new String(content.body(), StandardCharsets.US_ASCII))
        .containsExactly("first", "second");
  }

  @Test
  void aConnectionWithALargeRefusedBodyIsClosedAndItsRestIsNoRequest() throws IOException {
    try (Wire wire = connect()) {
      wire.post("/webhooks/small", "", "x".repeat(101));
      wire.post("/webhooks/open", "", "smuggled");
      Wire.Response response = wire.read();
      assertProblem(response, 413, "payload_too_large");
      assertThat(response.header("connection")).isEqualTo("close");
      assertThat(wire.isClosedByServer()).isTrue();
    }
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void theAnswerReachesAClientThatSendsItsWholeBodyFirst() throws IOException {
    for (int size : new int[] {20_000, 64_000, 200_000}) {
      queue.full = true;
      try (Wire wire = connect()) {
        wire.post("/webhooks/open", "", "x".repeat(size));
        assertProblem(wire.read(), 503, "overload");
      }
      try (Wire wire = connect()) {
        wire.post("/webhooks/none", "", "x".repeat(size));
        assertProblem(wire.read(), 404, "unknown_source");
      }
    }
  }

  @Test
  void http10IsServed() throws IOException {
    try (Wire wire = connect()) {
      wire.send("POST /webhooks/open HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}");
      assertThat(wire.read().status()).isEqualTo(201);
      assertThat(wire.isClosedByServer()).isTrue();
    }
    try (Wire wire = connect()) {
      wire.send("GET / HTTP/1.0\r\n\r\n");
      assertProblem(wire.read(), 404, "not_found");
    }
  }

  @Test
  void traceIsRefused() throws IOException {
    try (Wire wire = connect()) {
      wire.head("TRACE /webhooks/open HTTP/1.1", "Host: h", "X-Secret: canary");
      Wire.Response response = wire.read();
      assertProblem(response, 405, "method_not_allowed");
      assertThat(response.text()).doesNotContain("canary");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rubbish\r\n\r\n",
        "POST\r\n\r\n",
        "POST /webhooks/open HTTP/1.1\r\n\r\n",
        "POST /webhooks/open HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "POST /webhooks/open HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n",
        "POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
        "POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 1e3\r\n\r\n",
        "POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /webhooks/open HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "POST /webhooks/open HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: cake\r\n\r\n",
        "POST /webhooks/open HTTP/7.3\r\nHost: h\r\n\r\n",
        "P(ST /webhooks/open HTTP/1.1\r\nHost: h\r\n\r\n"
      })
  void brokenHttpIsABadRequestWithoutAPage(String request) throws IOException {
    try (Wire wire = connect()) {
      assertProblem(wire.send(request).read(), 400, "bad_request");
      assertThat(wire.isClosedByServer()).isTrue();
    }
    assertThat(queue.submitted).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\ncontent-LENGTH: 5\r\n\r\n",
        "HTTP/1.1\r\ncontent-length:5\r\nX: y\r\nTransfer-Encoding: chunked\r\nHost: h\r\n\r\n",
        "HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
      })
  void aBodyWithTwoEndsIsRefused(String rest) throws IOException {
    try (Wire wire = connect()) {
      String hidden =
          "0\r\n\r\nPOST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n";
      wire.send("POST /webhooks/open " + rest + hidden);
      assertProblem(wire.read(), 400, "bad_request");
      assertThat(wire.isClosedByServer()).isTrue();
    }
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void aSecondRequestOnAConnectionIsLookedAtAsWell() throws IOException {
    try (Wire wire = connect()) {
      assertThat(wire.post("/webhooks/open", "{}").status()).isEqualTo(201);
      wire.send(CHUNKED.formatted("open") + "f\r\ncontent-length:\r\n0\r\n\r\n");
      assertThat(wire.read().status()).as("in the body it is no header").isEqualTo(201);
      wire.send(
          CHUNKED.formatted("open").replace("Host: h", "Host: h\r\nContent-Length: 5")
              + "0\r\n\r\n");
      assertProblem(wire.read(), 400, "bad_request");
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  /** At info it quotes the header lines and the targets it cannot parse (G12). */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.coyote.http11.Http11Processor",
        "org.apache.coyote.http11.Http11InputBuffer",
        "org.apache.tomcat.util.http.Parameters",
        "org.apache.tomcat.util.http.parser.Cookie"
      })
  void theServerLogsNothingOfWhatItCannotParse(String logger) {
    assertThat(LoggerFactory.getLogger(logger).isInfoEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger(logger).isErrorEnabled()).isTrue();
  }

  @Test
  void headersOf64KilobytesAreRefusedAndOf12AreTaken(CapturedOutput output) throws IOException {
    try (Wire wire = connect()) {
      wire.post("/webhooks/open", "X-Long: " + "x".repeat(12 * 1024) + "\r\n", "{}");
      assertThat(wire.read().status()).isEqualTo(201);
    }
    queue.reset();
    try (Wire wire = connect()) {
      wire.send(
          "POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nX-Long: "
              + "x".repeat(64 * 1024)
              + "\r\n\r\n{}");
      Wire.Response response = wire.read();
      assertProblem(response, 400, "bad_request");
      assertThat(wire.isClosedByServer()).isTrue();
    }
    assertThat(output.getAll()).doesNotContain("Exception");
    try (Wire wire = connect()) {
      wire.post("/webhooks/open", "X-Many: x\r\n".repeat(1000), "{}");
      assertProblem(wire.read(), 400, "bad_request");
    }
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void onceReadinessIsOutOfServiceEachAnswerClosesItsConnection() throws IOException {
    try (Wire wire = connect()) {
      assertThat(wire.post("/webhooks/open", "{}").header("connection")).isNull();
      AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
      Wire.Response last = wire.post("/webhooks/open", "{}");
      assertThat(last.status()).isEqualTo(201);
      assertThat(last.header("connection")).isEqualTo("close");
      assertThat(wire.isClosedByServer()).isTrue();
    } finally {
      AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
    }
  }
}
