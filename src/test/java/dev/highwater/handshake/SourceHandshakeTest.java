package dev.highwater.handshake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.handshake.HandshakeOutcome.Answered;
import dev.highwater.handshake.HandshakeOutcome.Malformed;
import dev.highwater.handshake.HandshakeOutcome.NotOne;
import dev.highwater.handshake.HandshakeOutcome.Refused;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Verification;
import dev.highwater.signature.FailureReason;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.VerifiedRequest;
import dev.highwater.signature.Verifier;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every row of the table, and what must not pass for it. The signatures were made with openssl:
 * {@code printf %s <token> | openssl dgst -sha256 -hmac s3cret}.
 */
class SourceHandshakeTest {
  private static final String HEX =
      "f54f2d5fee8f181aab8371bada7fed9bb675eae464f18ed4fb91715244b58ef4";
  private static final String BASE64 = "9U8tX+6PGBqrg3G62n/tm7Z16uRk8Y7U+5FxUkS1jvQ=";

  @Test
  void slackGetsItsChallengeBack() {
    Answered answer =
        answered(
            signed(
                "slack",
                "{\"token\":\"x\",\"challenge\":\"3eZbrw1\",\"type\":\"url_verification\"}"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo("text/plain");
    assertThat(answer.body()).asString(UTF_8).isEqualTo("3eZbrw1");
  }

  @Test
  void zoomGetsItsTokenBackSigned() {
    Answered answer =
        answered(
            signed(
                "zoom",
                "{\"payload\":{\"plainToken\":\"qgg8vlvZRS6UYooatFL8Aw\"},"
                    + "\"event_ts\":1654503849680,\"event\":\"endpoint.url_validation\"}"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(answer.body())
        .asString(UTF_8)
        .isEqualTo(
            "{\"plainToken\":\"qgg8vlvZRS6UYooatFL8Aw\",\"encryptedToken\":\"" + HEX + "\"}");
  }

  @Test
  void xGetsItsTokenSigned() {
    Answered answer = answered(open("x", "GET", "crc_token=qgg8vlvZRS6UYooatFL8Aw&nonce=1"));
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(answer.body())
        .asString(UTF_8)
        .isEqualTo("{\"response_token\":\"sha256=" + BASE64 + "\"}");
  }

  @Test
  void metaIsToldItsChallengeIfItKnowsTheToken() {
    String query = "hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=t%30ken";
    Answered answer = answered(open("meta", "GET", query));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo("text/plain");
    assertThat(answer.body()).asString(UTF_8).isEqualTo("1158201444");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hub.mode=subscribe&hub.challenge=1&hub.verify_token=other",
        "hub.mode=subscribe&hub.challenge=1&hub.verify_token=",
        "hub.mode=subscribe&hub.challenge=1&hub.verify_token=other&hub.verify_token=t0ken",
        "hub.mode=subscribe&hub.challenge=1",
        "hub.mode=unsubscribe&hub.challenge=1&hub.verify_token=t0ken",
        "hub.challenge=1&hub.verify_token=t0ken",
        ""
      })
  void whoeverSubscribesOtherwiseIsRefused(String query) {
    assertThat(open("meta", "GET", query)).isInstanceOf(Refused.class);
    assertThat(open("meta", "GET", null)).isInstanceOf(Refused.class);
  }

  @Test
  void withoutAVerifyTokenNobodySubscribes() {
    var settings = new HandshakeSettings(true, "s3cret", null, List.of("POST"));
    String query = "hub.mode=subscribe&hub.challenge=1&hub.verify_token=";
    assertThat(
            SourceHandshake.of(Handshakes.of("meta"), settings).open("GET", query, Headers.none()))
        .isInstanceOf(Refused.class);
  }

  @Test
  void discordIsAnsweredInItsTwoDialects() {
    Answered silent = answered(signed("discord", "{\"version\":1,\"type\":0}"));
    assertThat(silent.status()).isEqualTo(204);
    assertThat(silent.body()).isEmpty();
    Answered spoken = answered(signed("discord", "{\"id\":\"1\",\"type\":1,\"token\":\"t\"}"));
    assertThat(spoken.status()).isEqualTo(200);
    assertThat(spoken.contentType()).isEqualTo("application/json");
    assertThat(spoken.body()).asString(UTF_8).isEqualTo("{\"type\":1}");
  }

  @Test
  void anEventOfDiscordIsAHookAlthoughItHasThatNumberToo() {
    String event = "{\"version\":1,\"type\":1,\"event\":{\"type\":\"ENTITLEMENT_CREATE\"}}";
    assertThat(signed("discord", event)).isInstanceOf(NotOne.class);
    assertThat(handshake("discord").announces(event.getBytes(UTF_8))).isFalse();
    assertThat(signed("discord", "{\"type\":2}")).isInstanceOf(NotOne.class);
  }

  @Test
  void intercomIsToldThatSomebodyIsThere() {
    Answered answer = answered(open("intercom", "HEAD", null));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void oktaGetsTheHeaderBackAsJson() {
    assertThat(open("okta", "GET", null)).isInstanceOf(NotOne.class);
    Answered answer = answered(openWith("okta", "GET", "x-okta-verification-challenge", "a\"b\\c"));
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(answer.body()).asString(UTF_8).isEqualTo("{\"verification\":\"a\\\"b\\\\c\"}");
  }

  @Test
  void theTokenOfMicrosoftGraphComesBackDecoded() {
    String query = "validationToken=Validation%3a+Testing+client%20application%3Cb%3E";
    Answered answer = answered(open("msgraph", "POST", query));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo("text/plain");
    assertThat(answer.body())
        .asString(UTF_8)
        .isEqualTo("Validation: Testing client application<b>");
    assertThat(open("msgraph", "POST", "a=b")).isInstanceOf(NotOne.class);
    assertThat(open("msgraph", "POST", null)).isInstanceOf(NotOne.class);
  }

  @Test
  void dropboxGetsItsChallengeBack() {
    assertThat(answered(open("dropbox", "GET", "challenge=abc-1_2")).body())
        .asString(UTF_8)
        .isEqualTo("abc-1_2");
    assertThat(open("dropbox", "GET", "x=y")).isInstanceOf(NotOne.class);
    assertThat(open("dropbox", "POST", "challenge=abc")).isInstanceOf(NotOne.class);
  }

  @Test
  void aSenderOfCloudEventsIsToldThatItMaySend() {
    Answered answer =
        answered(
            openWith("cloudevents", "OPTIONS", "WebHook-Request-Origin", "eventgrid.azure.net"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers())
        .isEqualTo(
            Map.of(
                "WebHook-Allowed-Origin", "eventgrid.azure.net",
                "WebHook-Allowed-Rate", "*",
                "Allow", "POST"));
    assertThat(openWith("cloudevents", "OPTIONS", "Origin", "https://e.org"))
        .isInstanceOf(NotOne.class);
    assertThat(openWith("cloudevents", "OPTIONS", "WebHook-Request-Origin", "a b"))
        .isInstanceOf(Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%0d%0aX:1", "%00", "a%09b", "%7f", "%c3%a9", "%ff", ""})
  void whatIsNotPrintableIsNotEchoed(String challenge) {
    assertThat(open("dropbox", "GET", "challenge=" + challenge)).isInstanceOf(Malformed.class);
    assertThat(open("msgraph", "POST", "validationToken=" + challenge))
        .isInstanceOf(Malformed.class);
    assertThat(open("x", "GET", "crc_token=" + challenge)).isInstanceOf(Malformed.class);
    String known = "hub.mode=subscribe&hub.verify_token=t0ken&hub.challenge=";
    assertThat(open("meta", "GET", known + challenge)).isInstanceOf(Malformed.class);
  }

  @Test
  void aBodysChallengeIsHeldToTheSame() {
    for (String challenge : List.of("", "a\\nb", "a\\u0000", "a\\u00e9")) {
      assertThat(
              signed(
                  "slack", "{\"type\":\"url_verification\",\"challenge\":\"" + challenge + "\"}"))
          .as(challenge)
          .isInstanceOf(Malformed.class);
    }
    assertThat(signed("slack", "{\"type\":\"url_verification\"}")).isInstanceOf(Malformed.class);
  }

  @Test
  void anEchoHasABound() {
    String longest = "a".repeat(1024);
    assertThat(answered(open("dropbox", "GET", "challenge=" + longest)).body()).hasSize(1024);
    assertThat(open("dropbox", "GET", "challenge=a" + longest)).isInstanceOf(Malformed.class);
    String token = "a".repeat(256);
    assertThat(open("x", "GET", "crc_token=" + token)).isInstanceOf(Answered.class);
    assertThat(open("x", "GET", "crc_token=a" + token)).isInstanceOf(Malformed.class);
    assertThat(openWith("cloudevents", "OPTIONS", "WebHook-Request-Origin", "a" + token))
        .isInstanceOf(Malformed.class);
  }

  @Test
  void aRepeatedChallengeIsMalformed() {
    assertThat(open("dropbox", "GET", "challenge=a&challenge=b")).isInstanceOf(Malformed.class);
    assertThat(open("x", "GET", "crc_token=a&crc_token=a")).isInstanceOf(Malformed.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{}", "[]", "\"a\"", "v0:1700000000:a", "1700000000.a", "a b", "{\"a\":1}"})
  void nothingThatCouldBeAHookIsSigned(String token) {
    String quoted = token.replace("\"", "\\\"");
    assertThat(open("x", "GET", "crc_token=" + token)).isInstanceOf(Malformed.class);
    assertThat(
            signed(
                "zoom",
                "{\"event\":\"endpoint.url_validation\",\"payload\":{\"plainToken\":\""
                    + quoted
                    + "\"}}"))
        .isInstanceOf(Malformed.class);
  }

  @Test
  void whatXWouldHaveSignedForAnybodyIsNoHook() {
    Verifier believing =
        request -> new Verifier.Verified(new VerifiedRequest(request, Verification.VERIFIED));
    Verifier guarded = handshake("x").guard(believing);
    for (String body : List.of("12", "true", "qgg8vlvZRS6UYooatFL8Aw", "a".repeat(256))) {
      assertThat(guarded.verify(post(body))).isEqualTo(new Verifier.Failed(FailureReason.NO_MATCH));
    }
    for (String body : List.of("{}", "", "[1]", "a".repeat(257))) {
      assertThat(guarded.verify(post(body))).isInstanceOf(Verifier.Verified.class);
    }
    assertThat(handshake("zoom").guard(believing)).isSameAs(believing);
    assertThat(off("x").guard(believing)).isSameAs(believing);
  }

  @Test
  void nothingIsSignedOrSaidForAForger() {
    String question = "{\"type\":\"url_verification\",\"challenge\":\"a\"}";
    for (Verification verification : List.of(Verification.FAILED, Verification.NOT_CHECKED)) {
      assertThat(handshake("slack").signed(new VerifiedRequest(post(question), verification)))
          .isInstanceOf(NotOne.class);
    }
  }

  @Test
  void anOrdinaryHookIsNone() {
    assertThat(signed("slack", "{\"type\":\"event_callback\",\"challenge\":\"a\"}"))
        .isInstanceOf(NotOne.class);
    assertThat(signed("zoom", "{\"event\":\"meeting.started\"}")).isInstanceOf(NotOne.class);
    assertThat(signed("zoom", "not json")).isInstanceOf(NotOne.class);
    assertThat(signed("github", "{\"type\":\"url_verification\",\"challenge\":\"a\"}"))
        .isInstanceOf(NotOne.class);
    assertThat(open("github", "GET", "challenge=a")).isInstanceOf(NotOne.class);
  }

  @ParameterizedTest
  @CsvSource({
    "slack,",
    "zoom,",
    "discord,",
    "msgraph, POST",
    "github,",
    "meta, GET",
    "okta, GET",
    "x, GET",
    "dropbox, GET",
    "intercom, HEAD",
    "cloudevents, OPTIONS"
  })
  void aMethodIsLetThroughOnlyForWhoUsesIt(String type, @Nullable String method) {
    if (method == null) {
      assertThat(handshake(type).methods()).isEmpty();
    } else {
      assertThat(handshake(type).methods()).containsExactly(method);
    }
    assertThat(off(type).methods()).isEmpty();
  }

  @Test
  void whatIsOffIsRefused() {
    assertThat(off("dropbox").open("GET", "challenge=a", Headers.none()))
        .isInstanceOf(Refused.class);
    assertThat(off("msgraph").open("POST", "validationToken=a", Headers.none()))
        .isInstanceOf(Refused.class);
    assertThat(off("msgraph").open("POST", null, Headers.none())).isInstanceOf(NotOne.class);
    var question = post("{\"type\":\"url_verification\",\"challenge\":\"a\"}");
    assertThat(off("slack").signed(new VerifiedRequest(question, Verification.VERIFIED)))
        .isInstanceOf(Refused.class);
  }

  @Test
  void noSecretIsPrinted() {
    assertThat(handshake("meta") + " " + settings(true))
        .doesNotContain("s3cret", "t0ken")
        .contains("answered");
  }

  private static HandshakeSettings settings(boolean answers) {
    return new HandshakeSettings(answers, "s3cret", "t0ken", List.of("POST"));
  }

  private static SourceHandshake handshake(String type) {
    return SourceHandshake.of(Handshakes.of(type), settings(true));
  }

  private static SourceHandshake off(String type) {
    return SourceHandshake.of(Handshakes.of(type), settings(false));
  }

  private static HandshakeOutcome open(String type, String method, @Nullable String query) {
    return handshake(type).open(method, query, Headers.none());
  }

  private static HandshakeOutcome openWith(
      String type, String method, String header, String value) {
    return handshake(type).open(method, null, Headers.of(header, value));
  }

  private static HandshakeOutcome signed(String type, String body) {
    return handshake(type).signed(new VerifiedRequest(post(body), Verification.VERIFIED));
  }

  private static UnverifiedRequest post(String body) {
    return new UnverifiedRequest("POST", "/webhooks/a", Headers.none(), body.getBytes(UTF_8), 0);
  }

  private static Answered answered(HandshakeOutcome outcome) {
    assertThat(outcome).isInstanceOf(Answered.class);
    return (Answered) outcome;
  }
}
