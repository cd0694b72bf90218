package dev.highwater;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every provider's question, and the hook it wants answered in its own way, as they come: to the
 * running jar, with the provider's real signature, made here by hand.
 */
class HandshakeIT {
  private static final String SECRET = "the newest";
  private static final String OLDER = "the older";
  private static final String ADYEN_KEY = "00ff00ff00ff00ff";
  private static final String URL = "https://hooks.example.com/webhooks/twilio";
  private static final String QUESTION =
      "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw1\"}";
  private static final String VALIDATION =
      "{\"payload\":{\"plainToken\":\"qgg8vlvZRS6UYooatFL8Aw\"},"
          + "\"event_ts\":1654503849680,\"event\":\"endpoint.url_validation\"}";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir static Path home;
  private static KeyPair discord;
  private static RunningHighwater highwater;
  private static RecordingSink sink;

  @BeforeAll
  static void start() throws Exception {
    discord = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] spki = discord.getPublic().getEncoded();
    String publicKey = HexFormat.of().formatHex(spki, spki.length - 32, spki.length);
    sink = new RecordingSink();
    String sinks = "sinks: [{name: out, type: http, url: \"" + sink.url() + "\"}]}\n";
    var yaml = new StringBuilder("sources:\n");
    for (String type :
        new String[] {"slack", "zoom", "intercom", "x", "dropbox", "cloudevents", "mailgun"}) {
      source(yaml, type, type, "secrets: [\"" + SECRET + "\", \"" + OLDER + "\"]", sinks);
    }
    String one = "secrets: [\"" + SECRET + "\"]";
    source(yaml, "meta", "meta", one + ", verify-token: \"t0ken\"", sinks);
    source(yaml, "okta", "okta", one, sinks);
    source(yaml, "msgraph", "msgraph", one, sinks);
    source(yaml, "discord", "discord", "on-failure: flag, secrets: [\"" + publicKey + "\"]", sinks);
    source(yaml, "twilio", "twilio", one + ", external-url: \"" + URL + "\"", sinks);
    source(yaml, "adyen", "adyen", "secrets: [\"" + ADYEN_KEY + "\"]", sinks);
    source(yaml, "own", "slack", one + ", response: {status: 202, body: mine}", sinks);
    source(yaml, "silent", "slack", one + ", handshake: off", sinks);
    RunningHighwater.configure(home, yaml.toString());
    highwater = RunningHighwater.start(home);
  }

  private static void source(
      StringBuilder yaml, String name, String type, String keys, String sinks) {
    yaml.append("  ").append(name).append(": {type: ").append(type).append(", ").append(keys);
    yaml.append(", ").append(sinks);
  }

  @AfterAll
  static void stop() {
    highwater.close();
    sink.close();
  }

  @Test
  void slackIsAnsweredForEitherSecretAndItsHooksWithNothing() throws Exception {
    for (String secret : new String[] {SECRET, OLDER}) {
      isText(send(timed("slack", "X-Slack-", "Signature", QUESTION, secret)), "3eZbrw1");
    }
    assertThat(send(timed("slack", "X-Slack-", "Signature", QUESTION, "wrong")).statusCode())
        .isEqualTo(401);
    assertThat(send(post("slack", QUESTION)).statusCode()).isEqualTo(401);
    HttpResponse<String> hook =
        send(timed("slack", "X-Slack-", "Signature", "{\"event_id\":\"1\"}", SECRET));
    assertThat(hook.statusCode()).isEqualTo(200);
    assertThat(hook.body()).isEmpty();
    assertThat(hook.headers().firstValue("webhook-id")).isPresent();
  }

  @Test
  void aSourcesOwnAnswerComesBeforeItsTypes() throws Exception {
    HttpResponse<String> hook =
        send(timed("own", "X-Slack-", "Signature", "{\"event_id\":\"1\"}", SECRET));
    assertThat(hook.statusCode()).isEqualTo(202);
    assertThat(hook.body()).isEqualTo("mine");
  }

  @Test
  void whatIsOffIsRefusedAndItsHooksAreTaken() throws Exception {
    HttpResponse<String> refused = send(timed("silent", "X-Slack-", "Signature", QUESTION, SECRET));
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("\"handshake_refused\"").doesNotContain("3eZbrw1");
    assertThat(
            send(timed("silent", "X-Slack-", "Signature", "{\"event_id\":\"2\"}", SECRET))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void zoomIsAnsweredWithTheNewestSecret() throws Exception {
    String token = "qgg8vlvZRS6UYooatFL8Aw";
    String signed = HexFormat.of().formatHex(hmac("HmacSHA256", SECRET, token));
    for (String secret : new String[] {SECRET, OLDER}) {
      isJson(
          send(timed("zoom", "x-zm-", "signature", VALIDATION, secret)),
          "{\"plainToken\":\"" + token + "\",\"encryptedToken\":\"" + signed + "\"}");
    }
    HttpResponse<String> forged = send(post("zoom", VALIDATION));
    assertThat(forged.statusCode()).isEqualTo(401);
    assertThat(forged.body()).doesNotContain("encryptedToken");
  }

  @Test
  void metaIsAnsweredIfItKnowsTheToken() throws Exception {
    String query = "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=";
    isText(send(request("GET", "meta", query + "t0ken")), "1158201444");
    assertThat(send(request("GET", "meta", query + "other")).statusCode()).isEqualTo(403);
    HttpRequest.Builder hook = post("meta", "{\"entry\":[]}");
    hook.header(
        "X-Hub-Signature-256",
        "sha256=" + HexFormat.of().formatHex(hmac("HmacSHA256", SECRET, "{\"entry\":[]}")));
    assertThat(send(hook).statusCode()).isEqualTo(201);
  }

  @Test
  void discordIsAnsweredAndABadSignatureRefusedWhateverTheSourceWouldDo() throws Exception {
    HttpResponse<String> silent = send(ofDiscord("{\"version\":1,\"type\":0}"));
    assertThat(silent.statusCode()).isEqualTo(204);
    assertThat(silent.body()).isEmpty();
    isJson(send(ofDiscord("{\"type\":1,\"token\":\"t\"}")), "{\"type\":1}");
    String event = "{\"type\":1,\"event\":{\"type\":\"ENTITLEMENT_CREATE\"}}";
    assertThat(send(ofDiscord(event)).statusCode()).isEqualTo(201);
    HttpRequest.Builder forged = post("discord", "{\"type\":0}");
    forged.header("X-Signature-Ed25519", "00".repeat(64)).header("X-Signature-Timestamp", now());
    assertThat(send(forged).statusCode()).isEqualTo(401);
    assertThat(send(post("discord", "{\"type\":0}")).statusCode()).isEqualTo(401);
  }

  @Test
  void whatIsAskedWithoutABodyIsAnswered() throws Exception {
    HttpResponse<String> head = send(request("HEAD", "intercom", ""));
    assertThat(head.statusCode()).isEqualTo(200);
    isJson(
        send(request("GET", "okta", "").header("X-Okta-Verification-Challenge", "c1")),
        "{\"verification\":\"c1\"}");
    isText(send(request("GET", "dropbox", "?challenge=abc")), "abc");
    HttpResponse<String> origin =
        send(request("OPTIONS", "cloudevents", "").header("WebHook-Request-Origin", "a.example"));
    assertThat(origin.statusCode()).isEqualTo(200);
    assertThat(origin.headers().firstValue("webhook-allowed-origin")).hasValue("a.example");
    assertThat(origin.headers().firstValue("webhook-allowed-rate")).hasValue("*");
    assertThat(origin.headers().firstValue("allow")).hasValue("POST");
    assertThat(send(request("GET", "slack", "?challenge=abc")).statusCode()).isEqualTo(405);
  }

  @Test
  void xIsAnsweredAndWhatItHadSignedIsNoHook() throws Exception {
    String signature = "sha256=" + base64("HmacSHA256", "12345");
    isJson(
        send(request("GET", "x", "?crc_token=12345")),
        "{\"response_token\":\"" + signature + "\"}");
    String header = "x-twitter-webhooks-signature";
    HttpResponse<String> replayed = send(post("x", "12345").header(header, signature));
    assertThat(replayed.statusCode()).isEqualTo(401);
    assertThat(replayed.body()).contains("no_match");
    assertThat(send(request("GET", "x", "?crc_token=%7B%7D")).statusCode()).isEqualTo(400);
    String genuine = "sha256=" + base64("HmacSHA256", "{}");
    assertThat(send(post("x", "{}").header(header, genuine)).statusCode()).isEqualTo(201);
  }

  @Test
  void microsoftGraphIsAnsweredAndItsHooksWith202() throws Exception {
    isText(send(request("POST", "msgraph", "?validationToken=a%3A+b")), "a: b");
    String body = "{\"value\":[{\"clientState\":\"" + SECRET + "\"}]}";
    assertThat(send(post("msgraph", body)).statusCode()).isEqualTo(202);
    assertThat(send(post("msgraph", body.replace(SECRET, "other"))).statusCode()).isEqualTo(401);
  }

  @Test
  void twilioAdyenAndMailgunAreAnsweredAsTheyWant() throws Exception {
    HttpRequest.Builder twilio = post("twilio", "MessageSid=SM1&MessageStatus=sent");
    twilio.header("Content-Type", "application/x-www-form-urlencoded");
    twilio.header("X-Twilio-Signature", base64("HmacSHA1", URL + "MessageSidSM1MessageStatussent"));
    HttpResponse<String> answer = send(twilio);
    assertThat(answer.statusCode()).isEqualTo(204);

    HttpResponse<String> accepted = send(post("adyen", ofAdyen()));
    assertThat(accepted.body()).isEqualTo("[accepted]");
    assertThat(accepted.statusCode()).isEqualTo(200);

    String time = now();
    String signature = HexFormat.of().formatHex(hmac("HmacSHA256", SECRET, time + "tok"));
    String mail =
        "{\"signature\":{\"timestamp\":\"%s\",\"token\":\"tok\",\"signature\":\"%s\"}}"
            .formatted(time, signature);
    for (String accept : new String[] {"application/xml", "image/png", "*/*;q=0"}) {
      assertThat(send(post("mailgun", mail).header("Accept", accept)).statusCode()).isEqualTo(201);
    }
  }

  @Test
  void aHandshakeIsCountedAndNotStored() throws Exception {
    long before = highwater.queue("appliedSeq");
    isText(send(request("GET", "dropbox", "?challenge=abc")), "abc");
    isText(send(timed("slack", "X-Slack-", "Signature", QUESTION, SECRET)), "3eZbrw1");
    assertThat(highwater.queue("appliedSeq")).isEqualTo(before);
    assertThat(highwater.operator("/actuator/prometheus").body().lines())
        .anyMatch(
            line ->
                line.startsWith("highwater_intake_requests_total{outcome=\"handshake\"")
                    && line.contains("source=\"dropbox\""));
  }

  private static String ofAdyen() throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(HexFormat.of().parseHex(ADYEN_KEY), "HmacSHA256"));
    byte[] signature = mac.doFinal("p1::M:r1:100:EUR:AUTHORISATION:true".getBytes(UTF_8));
    return """
        {"notificationItems":[{"NotificationRequestItem":{"pspReference":"p1",\
        "merchantAccountCode":"M","merchantReference":"r1",\
        "amount":{"value":100,"currency":"EUR"},"eventCode":"AUTHORISATION","success":"true",\
        "additionalData":{"hmacSignature":"%s"}}}]}"""
        .formatted(Base64.getEncoder().encodeToString(signature));
  }

  private static HttpRequest.Builder ofDiscord(String body) throws Exception {
    String time = now();
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(discord.getPrivate());
    signature.update((time + body).getBytes(UTF_8));
    return post("discord", body)
        .header("X-Signature-Ed25519", HexFormat.of().formatHex(signature.sign()))
        .header("X-Signature-Timestamp", time);
  }

  /** As Slack signs, and Zoom after it: version, time and body. */
  private static HttpRequest.Builder timed(
      String source, String prefix, String signature, String body, String secret)
      throws GeneralSecurityException {
    String time = now();
    String signed = HexFormat.of().formatHex(hmac("HmacSHA256", secret, "v0:" + time + ":" + body));
    return post(source, body)
        .header(prefix + "Request-Timestamp", time)
        .header(prefix + signature, "v0=" + signed);
  }

  private static byte[] hmac(String algorithm, String secret, String text)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance(algorithm);
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), algorithm));
    return mac.doFinal(text.getBytes(UTF_8));
  }

  private static String base64(String algorithm, String text) throws GeneralSecurityException {
    return Base64.getEncoder().encodeToString(hmac(algorithm, SECRET, text));
  }

  private static String now() {
    return Long.toString(Instant.now().getEpochSecond());
  }

  private static HttpRequest.Builder post(String source, String body) {
    return HttpRequest.newBuilder(highwater.hooksOf(source))
        .timeout(Duration.ofSeconds(30))
        .POST(BodyPublishers.ofString(body));
  }

  private static HttpRequest.Builder request(String method, String source, String query) {
    return HttpRequest.newBuilder(URI.create(highwater.hooksOf(source) + query))
        .timeout(Duration.ofSeconds(30))
        .method(method, BodyPublishers.noBody());
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static void isText(HttpResponse<String> response, String body) {
    isAnswer(response, "text/plain", body);
  }

  private static void isJson(HttpResponse<String> response, String body) {
    isAnswer(response, "application/json", body);
  }

  private static void isAnswer(HttpResponse<String> response, String type, String body) {
    assertThat(response.body()).isEqualTo(body);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).hasValue(type);
    assertThat(response.headers().firstValue("x-content-type-options")).hasValue("nosniff");
  }
}
