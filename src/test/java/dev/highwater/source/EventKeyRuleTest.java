package dev.highwater.source;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Verification;
import dev.highwater.signature.EventKey;
import dev.highwater.signature.JsonField;
import dev.highwater.signature.JsonItems;
import dev.highwater.signature.Presets;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.VerifiedRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By what a repetition is known. */
class EventKeyRuleTest {
  private static final Duration WINDOW = Duration.ofDays(3);
  private static final EventKey HEADER = new EventKey.Header("X-Event");
  private static final EventKey ID = new EventKey.Field(JsonField.parse("data.id"));

  @Test
  void aHeaderIsTheKey() {
    assertThat(key(HEADER, "", "x-event", "e1")).isEqualTo("e1");
    assertThat(key(HEADER, "", "x-other", "e1")).isNull();
    assertThat(key(HEADER, "", "x-event", "")).isNull();
  }

  @Test
  void aFieldOfTheBodyIsTheKey() {
    assertThat(key(ID, "{\"data\":{\"id\":\"e1\"}}")).isEqualTo("e1");
    assertThat(key(ID, "{\"data\":{\"id\":17}}")).isEqualTo("17");
    assertThat(key(ID, "{\"data\":{\"id\":\"\"}}")).isNull();
    assertThat(key(ID, "{\"data\":{}}")).isNull();
    assertThat(key(ID, "not json")).isNull();
    assertThat(key(ID, "")).isNull();
  }

  @Test
  void theFirstThatIsThereIsTheKey() {
    EventKey first = new EventKey.FirstOf(List.of(HEADER, new EventKey.Header("b"), ID));
    assertThat(key(first, "{\"data\":{\"id\":1}}", "b", "2", "x-event", "3")).isEqualTo("3");
    assertThat(key(first, "{\"data\":{\"id\":1}}", "b", "2", "x-event", "")).isEqualTo("2");
    assertThat(key(first, "{\"data\":{\"id\":1}}")).isEqualTo("1");
    assertThat(key(first, "")).isNull();
  }

  @Test
  void aJoinedKeyHasAllPartsOrThereIsNone() {
    EventKey join = new EventKey.Join(List.of(new EventKey.Header("a"), new EventKey.Header("b")));
    assertThat(key(join, "", "a", "x", "b", "yz")).isNotNull();
    assertThat(key(join, "", "a", "x", "b", "yz"))
        .isNotEqualTo(key(join, "", "a", "xy", "b", "z"))
        .isNotEqualTo(key(join, "", "a", "yz", "b", "x"))
        .isEqualTo(key(join, "", "b", "yz", "a", "x"));
    assertThat(key(join, "", "a", "x")).isNull();
    assertThat(key(join, "", "a", "x", "b", "")).isNull();
  }

  @Test
  void aLongKeyIsItsDigest() throws NoSuchAlgorithmException {
    String longest = "k".repeat(DedupeKey.LONGEST);
    assertThat(key(HEADER, "", "x-event", longest)).isEqualTo(longest);
    byte[] digest =
        MessageDigest.getInstance("SHA-256")
            .digest((longest + "k").getBytes(StandardCharsets.UTF_8));
    DedupeKey key = keyOf(HEADER, Verification.VERIFIED, "", "x-event", longest + "k");
    assertThat(requireNonNull(key).bytes()).isEqualTo(digest);
  }

  @Test
  void whatFailedVerificationHasNoKey() {
    assertThat(keyOf(HEADER, Verification.FAILED, "", "x-event", "e1")).isNull();
    assertThat(keyOf(HEADER, Verification.NOT_CHECKED, "", "x-event", "e1")).isNotNull();
  }

  @Test
  void eachProviderHasItsOwnKey() {
    assertThat(preset("github", "{\"id\":1}", "X-GitHub-Delivery", "d", "X-Hub-Signature-256", "x"))
        .isEqualTo("d");
    assertThat(preset("stripe", "{\"id\":\"evt_1\"}", "Stripe-Signature", "x")).isEqualTo("evt_1");
    assertThat(preset("svix", "", "svix-id", "s", "webhook-id", "w", "svix-signature", "x"))
        .isEqualTo("s");
    assertThat(preset("svix", "", "svix-id", "s", "webhook-id", "w", "webhook-signature", "x"))
        .isEqualTo("w");
    assertThat(preset("none", "{\"id\":1}", "webhook-id", "w")).isNull();
  }

  @Test
  void theBodyAsAWholeMayBeTheKey() throws NoSuchAlgorithmException {
    DedupeKey key = keyOf(new EventKey.BodyHash(), Verification.VERIFIED, "{\"a\":1}");
    assertThat(requireNonNull(key).bytes())
        .isEqualTo(
            MessageDigest.getInstance("SHA-256")
                .digest("{\"a\":1}".getBytes(StandardCharsets.UTF_8)));
    assertThat(key(new EventKey.BodyHash(), "")).isNull();
  }

  @Test
  void everyItemOfAListBelongsToTheKey() {
    EventKey ids = new EventKey.EachItem(new JsonItems(JsonField.parse("v")), ID);
    String one = "{\"data\":{\"id\":1}}";
    String two = "{\"data\":{\"id\":2}}";
    assertThat(key(ids, "{\"v\":[" + one + "," + two + "]}"))
        .isNotNull()
        .isNotEqualTo(key(ids, "{\"v\":[" + one + "]}"))
        .isEqualTo(key(ids, "{\"v\":[" + one + ", " + two + "],\"x\":1}"));
    for (String body : List.of("{\"v\":[" + one + ",{}]}", "{\"v\":[]}", "{\"v\":{}}", "no json")) {
      assertThat(key(ids, body)).isNull();
    }
  }

  @Test
  void theKeyOfEachTypeIsWhereItsProviderPutsIt() {
    String body =
        "{\"id\":\"i\",\"event_id\":\"e\",\"eventId\":\"o\",\"event-data\":{\"id\":\"m\"}}";
    assertThat(preset("shopify", "", "X-Shopify-Webhook-Id", "w", "X-Shopify-Hmac-SHA256", "x"))
        .isEqualTo("w");
    assertThat(preset("slack", body, "X-Slack-Signature", "x")).isEqualTo("e");
    assertThat(preset("square", body, "x-square-hmacsha256-signature", "x")).isEqualTo("e");
    assertThat(preset("paddle", body, "Paddle-Signature", "x")).isEqualTo("e");
    assertThat(preset("intercom", body, "X-Hub-Signature", "x")).isEqualTo("i");
    assertThat(preset("okta", body, "Authorization", "x")).isEqualTo("o");
    assertThat(preset("linear", body, "Linear-Signature", "x", "Linear-Delivery", "d"))
        .isEqualTo("d");
    String mailgun = body.replaceFirst("\\{", "{\"signature\":{\"signature\":\"x\"},");
    assertThat(preset("mailgun", mailgun)).isEqualTo("m");
    assertThat(preset("dropbox", body, "X-Dropbox-Signature", "x")).isNull();
    assertThat(preset("bearer", body, "Authorization", "x")).isNull();
    String[] gitlab = {"X-Gitlab-Token", "x", "X-Gitlab-Event-UUID", "u", "Idempotency-Key", "k"};
    assertThat(preset("gitlab", body, gitlab)).isEqualTo("k");
    assertThat(preset("gitlab", body, gitlab[0], "x", gitlab[2], "u")).isEqualTo("u");
    assertThat(preset("gitlab", body, "webhook-signature", "x", "webhook-id", "w", gitlab[4], "k"))
        .isEqualTo("w");
  }

  @ParameterizedTest
  @CsvSource({
    "zoom, x-zm-signature",
    "meta, X-Hub-Signature-256",
    "discord, X-Signature-Ed25519",
    "sendgrid, X-Twilio-Email-Event-Webhook-Signature",
    "docusign, X-DocuSign-Signature-3",
    "x, x-twitter-webhooks-signature",
    "hubspot, X-HubSpot-Signature-v3",
    "msgraph, X-None"
  })
  void whatHasNoIdIsKnownByItsBody(String type, String header) {
    var preset = requireNonNull(Presets.of(type));
    UnverifiedRequest request = request(Verification.VERIFIED, "{}", header, "x").request();
    assertThat(preset.keyOf(request)).isEqualTo(new EventKey.BodyHash());
  }

  @Test
  void adyenEventsAreKnownByAllTheirItems() {
    String item = "{\"NotificationRequestItem\":{\"eventCode\":\"C\",\"pspReference\":\"p\"%s}}";
    String body = "{\"notificationItems\":[" + item.formatted("") + "]}";
    assertThat(preset("adyen", body)).isNotNull();
    assertThat(preset("adyen", body))
        .isEqualTo(
            preset("adyen", "{\"notificationItems\":[" + item.formatted(",\"success\":1") + "]}"));
    assertThat(preset("adyen", body)).isNotEqualTo(preset("adyen", body.replace("\"p\"", "\"q\"")));
  }

  @Test
  void twilioEventsAreKnownByTheirTokenOrTheirSidAndStatus() {
    String[] form = {
      "X-Twilio-Signature", "x", "Content-Type", "application/x-www-form-urlencoded"
    };
    String sent = preset("twilio", "MessageSid=SM1&MessageStatus=sent", form);
    assertThat(sent)
        .isNotNull()
        .isNotEqualTo(preset("twilio", "MessageSid=SM1&MessageStatus=delivered", form))
        .isEqualTo(preset("twilio", "a=b&MessageStatus=sent&MessageSid=SM1", form));
    assertThat(preset("twilio", "CallSid=CA1&CallStatus=ringing", form)).isNotNull();
    assertThat(preset("twilio", "CallSid=CA1", form)).isNull();
    assertThat(
            preset(
                "twilio",
                "CallSid=CA1",
                "X-Twilio-Signature",
                "x",
                "I-Twilio-Idempotency-Token",
                "t"))
        .isEqualTo("t");
  }

  @Test
  void cloudEventsAreKnownBySourceAndId() {
    String[] token = {"Authorization", "Bearer x", "ce-source", "/s", "ce-id", "1"};
    String key = preset("cloudevents", "", token);
    assertThat(key).isNotNull();
    assertThat(preset("cloudevents", "{\"id\":\"1\",\"source\":\"/s\"}", token[0], token[1]))
        .isEqualTo(key);
    assertThat(preset("cloudevents", "{\"id\":\"1\"}", token[0], token[1])).isNull();
  }

  @Test
  void theKeyHasTheWindow() {
    DedupeKey key = keyOf(HEADER, Verification.VERIFIED, "", "x-event", "e");
    assertThat(requireNonNull(key).window()).isEqualTo(WINDOW);
  }

  private static @Nullable String preset(String type, String body, String... headers) {
    var preset = requireNonNull(Presets.of(type));
    return text(
        new EventKeyRule(preset::keyOf, WINDOW)
            .keyOf(request(Verification.VERIFIED, body, headers)));
  }

  private static @Nullable String key(EventKey place, String body, String... headers) {
    return text(keyOf(place, Verification.VERIFIED, body, headers));
  }

  private static @Nullable DedupeKey keyOf(
      EventKey place, Verification verification, String body, String... headers) {
    return new EventKeyRule(request -> place, WINDOW).keyOf(request(verification, body, headers));
  }

  private static VerifiedRequest request(
      Verification verification, String body, String... headers) {
    return new VerifiedRequest(
        new UnverifiedRequest(
            "POST", "/", Headers.of(headers), body.getBytes(StandardCharsets.UTF_8), 0),
        verification);
  }

  private static @Nullable String text(@Nullable DedupeKey key) {
    return key == null ? null : new String(key.bytes(), StandardCharsets.UTF_8);
  }
}
