package dev.highwater.source;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Verification;
import dev.highwater.signature.EventKey;
import dev.highwater.signature.JsonField;
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
