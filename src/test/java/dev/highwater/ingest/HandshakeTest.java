package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Answer;
import dev.highwater.hook.ErrorCode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What providers ask a URL, over the wire: each is answered, and nothing is stored for it. */
class HandshakeTest extends PublicPortFixture {
  private static final String SLACK = "{\"type\":\"url_verification\",\"challenge\":\"abc\"}";
  private static final String ZOOM =
      "{\"event\":\"endpoint.url_validation\",\"payload\":{\"plainToken\":\"abc\"}}";
  private static final String GOOD = "X-Signature: good\r\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "meta?hub.mode=subscribe&hub.verify_token=t0ken&hub.challenge=42 | text/plain | 42",
        "dropbox?challenge=abc | text/plain | abc",
        "x?crc_token=abc | application/json | {\"response_token\":\"sha256=Ty8wqvSle9YKtHPI6cLN/vwYZyPUcn7W8x8ENTyROJo=\"}"
      })
  void aGetIsAnswered(String target, String type, String body) throws IOException {
    try (Wire wire = connect()) {
      assertAnswer(get(wire, target), type, body);
    }
    assertNothingStored();
    assertObserved("default/" + target.substring(0, target.indexOf('?')) + " handshake 0");
  }

  @Test
  void aHeaderIsAnswered() throws IOException {
    try (Wire wire = connect()) {
      wire.head("GET /webhooks/okta HTTP/1.1", "Host: h", "X-Okta-Verification-Challenge: a b");
      assertAnswer(wire.read(), "application/json", "{\"verification\":\"a b\"}");
    }
    assertNothingStored();
  }

  @Test
  void aPresenceIsAnsweredWithoutABody() throws IOException {
    try (Wire wire = connect()) {
      wire.head("HEAD /webhooks/intercom HTTP/1.1", "Host: h");
      assertThat(wire.readHead().status()).isEqualTo(200);
      assertThat(wire.post("/webhooks/open", "{}").status()).isEqualTo(201);
    }
  }

  @Test
  void anOriginIsAllowed() throws IOException {
    try (Wire wire = connect()) {
      wire.head(
          "OPTIONS /webhooks/cloudevents HTTP/1.1",
          "Host: h",
          "WebHook-Request-Origin: eventgrid.azure.net",
          "WebHook-Request-Rate: 120");
      Wire.Response response = wire.read();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.header("webhook-allowed-origin")).isEqualTo("eventgrid.azure.net");
      assertThat(response.header("webhook-allowed-rate")).isEqualTo("*");
      assertThat(response.header("allow")).isEqualTo("POST");
      assertThat(response.header("x-content-type-options")).isEqualTo("nosniff");
      assertThat(response.header("access-control-allow-origin")).isNull();

      wire.head("OPTIONS /webhooks/cloudevents HTTP/1.1", "Host: h", "Origin: https://e.org");
      Wire.Response preflight = wire.read();
      assertProblem(preflight, 405, "method_not_allowed");
      assertThat(preflight.header("allow")).isEqualTo("OPTIONS, POST");
    }
    assertNothingStored();
  }

  @Test
  void aQuestionInAPostsQueryIsAnsweredAndItsBodyNotRead() throws IOException {
    try (Wire wire = connect()) {
      wire.post("/webhooks/msgraph?validationToken=a%3Ab+c", "", "x".repeat(10));
      assertAnswer(wire.read(), "text/plain", "a:b c");
      assertThat(wire.post("/webhooks/open", "{}").status()).isEqualTo(201);
    }
    assertObserved("default/msgraph handshake 0", "default/open accepted 2");
  }

  @Test
  void aSignedQuestionIsAnsweredOnceItIsVerified() throws IOException {
    try (Wire wire = connect()) {
      assertAnswer(wire.post("/webhooks/slack", GOOD, SLACK).read(), "text/plain", "abc");
      assertAnswer(
          wire.post("/webhooks/zoom", GOOD, ZOOM).read(),
          "application/json",
          "{\"plainToken\":\"abc\",\"encryptedToken\":\"4f2f30aaf4a57bd60ab473c8e9c2cdfefc186723d4727ed6f31f04353c91389a\"}");
      assertAnswer(
          wire.post("/webhooks/discord", GOOD, "{\"type\":1}").read(),
          "application/json",
          "{\"type\":1}");
      Wire.Response silent = wire.post("/webhooks/discord", GOOD, "{\"type\":0}").read();
      assertThat(silent.status()).isEqualTo(204);
      assertThat(silent.header("content-type")).isEqualTo("application/json");
      assertThat(wire.post("/webhooks/discord", GOOD, "{\"type\":2}").read().status())
          .isEqualTo(201);
    }
    assertThat(queue.only().source().name()).isEqualTo("discord");
    assertObserved(
        "default/slack handshake 45",
        "default/zoom handshake 66",
        "default/discord handshake 10",
        "default/discord handshake 10",
        "default/discord accepted 10");
  }

  @Test
  void aForgedQuestionIsAForgedHook() throws IOException {
    try (Wire wire = connect()) {
      for (String header : List.of("", "X-Signature: bad\r\n")) {
        for (String source : List.of("slack", "zoom", "discord")) {
          String body = source.equals("zoom") ? ZOOM : SLACK;
          Wire.Response response = wire.post("/webhooks/" + source, header, body).read();
          assertProblem(response, 401, "verification_failed");
        }
      }
    }
    assertNothingStored();
  }

  @Test
  void aForgedQuestionThatIsTakenInIsAHookAndSignsNothing() throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response = wire.post("/webhooks/flagging-zoom", "", ZOOM).read();
      assertThat(response.status()).isEqualTo(201);
      assertThat(response.text()).doesNotContain("Token");
      assertThat(wire.post("/webhooks/flagging-slack", "", SLACK).read().status()).isEqualTo(201);
    }
    assertThat(queue.submitted).hasSize(2);
  }

  @Test
  void whileNothingIsTakenASignedQuestionIsAnsweredAndAHookIsNot() throws IOException {
    queue.refusal = new Answer.Refused(ErrorCode.STORE_UNAVAILABLE);
    assertAnsweredWhileRefusing("store_unavailable");
    queue.refusal = null;
    queue.full = true;
    assertAnsweredWhileRefusing("overload");
    queue.full = false;
    queue.byteBound = 0;
    assertAnswer(alone("/webhooks/slack", GOOD, SLACK), "text/plain", "abc");
    assertProblem(alone("/webhooks/slack", GOOD, "{\"type\":\"a\"}"), 503, "overload");
    assertNothingStored();
  }

  @Test
  void theBytesOfAHookThatMightHaveBeenAQuestionAreCounted() throws IOException {
    String hook = "{\"type\":\"a\"}";
    try (Wire wire = connect()) {
      assertThat(wire.post("/webhooks/slack", GOOD, hook).read().status()).isEqualTo(201);
    }
    assertThat(queue.mostBytes).hasValue(hook.length());
  }

  /** One connection each: the server closes it after a 503. */
  private void assertAnsweredWhileRefusing(String code) throws IOException {
    assertAnswer(alone("/webhooks/slack", GOOD, SLACK), "text/plain", "abc");
    assertProblem(alone("/webhooks/slack", "", SLACK), 503, code);
    assertProblem(alone("/webhooks/slack", GOOD, "{\"type\":\"a\"}"), 503, code);
    assertProblem(alone("/webhooks/signed", GOOD, SLACK), 503, code);
    try (Wire wire = connect()) {
      assertAnswer(get(wire, "dropbox?challenge=a"), "text/plain", "a");
      // Too long for a question: refused unread.
      wire.send("POST /webhooks/slack HTTP/1.1\r\nHost: h\r\nContent-Length: 4097\r\n\r\n");
      assertProblem(wire.read(), 503, code);
    }
  }

  private Wire.Response alone(String target, String headers, String body) throws IOException {
    try (Wire wire = connect()) {
      return wire.post(target, headers, body).read();
    }
  }

  @Test
  void aSourceThatAnswersNoneRefusesIt() throws IOException {
    try (Wire wire = connect()) {
      for (String target :
          List.of("no-meta?hub.mode=subscribe", "no-dropbox?challenge=a", "no-x?crc_token=a")) {
        Wire.Response response = get(wire, target);
        assertProblem(response, 405, "method_not_allowed");
        assertThat(response.header("allow")).isEqualTo("POST");
      }
      assertProblem(
          wire.post("/webhooks/no-msgraph?validationToken=a", ""), 403, "handshake_refused");
      assertProblem(wire.post("/webhooks/no-slack", GOOD, SLACK).read(), 403, "handshake_refused");
      assertProblem(wire.post("/webhooks/no-zoom", "", ZOOM).read(), 401, "verification_failed");
      wire.head("HEAD /webhooks/no-intercom HTTP/1.1", "Host: h");
      assertThat(wire.readHead().status()).isEqualTo(405);
    }
    assertNothingStored();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dropbox?challenge=%0d%0aSet-Cookie:a=b",
        "dropbox?challenge=",
        "x?crc_token={%22a%22:1}",
        "x?crc_token=%00"
      })
  void aMalformedChallengeIsNotEchoed(String target) throws IOException {
    try (Wire wire = connect()) {
      Wire.Response response = get(wire, target);
      assertProblem(response, 400, "invalid_handshake");
      assertThat(response.header("set-cookie")).isNull();
    }
  }

  @Test
  void whoDoesNotKnowTheTokenIsRefused() throws IOException {
    try (Wire wire = connect()) {
      assertProblem(
          get(wire, "meta?hub.mode=subscribe&hub.verify_token=no&hub.challenge=42"),
          403,
          "handshake_refused");
      assertProblem(get(wire, "meta"), 403, "handshake_refused");
    }
    assertObserved("default/meta handshake_refused 0", "default/meta handshake_refused 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE", "get"})
  void anyOtherMethodOfSuchASourceIsRefused(String method) throws IOException {
    for (String source : List.of("slack", "zoom", "discord", "msgraph", "dropbox")) {
      try (Wire wire = connect()) {
        wire.send(method + " /webhooks/" + source + " HTTP/1.1\r\nHost: h\r\n\r\n");
        Wire.Response response = method.equals("HEAD") ? wire.readHead() : wire.read();
        assertThat(response.status()).as(source).isEqualTo(405);
      }
    }
  }

  @Test
  void whatTheClientAsksForChangesNothing() throws IOException {
    try (Wire wire = connect()) {
      wire.head("GET /webhooks/dropbox?challenge=%3Cb%3E HTTP/1.1", "Host: h", "Accept: text/html");
      assertAnswer(wire.read(), "text/plain", "<b>");
    }
  }

  private static Wire.Response get(Wire wire, String target) throws IOException {
    return wire.head("GET /webhooks/" + target + " HTTP/1.1", "Host: h").read();
  }

  private static void assertAnswer(Wire.Response response, String type, String body) {
    assertThat(response.text()).isEqualTo(body);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("content-type")).isEqualTo(type);
    assertThat(response.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(response.header("cache-control")).isEqualTo("no-store");
    assertThat(response.header("webhook-id")).isNull();
  }

  private void assertNothingStored() {
    assertThat(queue.submitted).isEmpty();
  }
}
