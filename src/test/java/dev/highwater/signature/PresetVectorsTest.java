package dev.highwater.signature;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Verification;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What others signed is accepted, and nothing that differs from it. The schemes that are no preset
 * yet stand here as rows: they show that a preset is data.
 */
class PresetVectorsTest {
  private static final Map<String, Preset> ROWS =
      Map.of(
          "slack",
              timed(
                  "X-Slack-Signature", "v0=", "v0:{timestamp}:{body}", "X-Slack-Request-Timestamp"),
          "zoom", timed("x-zm-signature", "v0=", "v0:{timestamp}:{body}", "x-zm-request-timestamp"),
          "shopify",
              row(
                  "X-Shopify-Hmac-SHA256",
                  "",
                  Algorithm.HMAC_SHA256,
                  Encoding.BASE64,
                  "{body}",
                  null),
          "square",
              row(
                  "x-square-hmacsha256-signature",
                  "",
                  Algorithm.HMAC_SHA256,
                  Encoding.BASE64,
                  "{url}{body}",
                  null),
          "twilio",
              row(
                  "X-Twilio-Signature",
                  "",
                  Algorithm.HMAC_SHA1,
                  Encoding.BASE64,
                  "{url}{form}",
                  null),
          "hubspot",
              row(
                  "X-HubSpot-Signature",
                  "",
                  Algorithm.SHA256,
                  Encoding.HEX,
                  "{secret}{body}",
                  null),
          "discord",
              publicKey(
                  "X-Signature-Ed25519",
                  Algorithm.ED25519,
                  Encoding.HEX,
                  SecretForm.HEX,
                  "X-Signature-Timestamp"),
          "sendgrid",
              publicKey(
                  "X-Twilio-Email-Event-Webhook-Signature",
                  Algorithm.ECDSA_P256,
                  Encoding.BASE64,
                  SecretForm.BASE64,
                  "X-Twilio-Email-Event-Webhook-Timestamp"));

  static Stream<Vector> vectors() {
    return Vector.all().stream();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void aSignedRequestIsVerified(Vector vector) {
    assertThat(verify(vector, vector.secret(), vector.request()))
        .isInstanceOfSatisfying(
            Verifier.Verified.class,
            verified -> {
              assertThat(verified.request().verification()).isEqualTo(Verification.VERIFIED);
              assertThat(verified.request().request().body()).isSameAs(vector.body());
            });
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void anyByteOfTheBodyCounts(Vector vector) {
    for (int i = 0; i < vector.body().length; i++) {
      byte[] body = vector.body().clone();
      // Not the bit between a and A: a form is signed by its values, and %2b is the value of %2B.
      body[i] ^= (byte) (1 << i % 5);
      refused(vector, vector.request(body, vector.headers()));
    }
    byte[] shorter = Arrays.copyOf(vector.body(), vector.body().length - 1);
    refused(vector, vector.request(shorter, vector.headers()));
    byte[] longer = Arrays.copyOf(vector.body(), vector.body().length + 1);
    refused(vector, vector.request(longer, vector.headers()));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void anyCharacterOfTheSecretCounts(Vector vector) {
    eachChange(
        vector.secret(),
        secret -> {
          try {
            assertThat(verify(vector, secret, vector.request()))
                .isInstanceOf(Verifier.Failed.class);
          } catch (UnusableSecretException refusedAtTheStart) {
            assertThat(refusedAtTheStart.index()).isZero();
          }
        });
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void anyCharacterOfTheUrlCounts(Vector vector) {
    String url = vector.url();
    if (url != null) {
      for (int i = "https://".length(); i < url.length(); i++) {
        String other = url.charAt(i) == 'x' ? "y" : "x";
        Vector moved = withUrl(vector, url.substring(0, i) + other + url.substring(i + 1));
        refused(moved, moved.request());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void anyCharacterOfAnyHeaderOfTheSchemeCounts(Vector vector) {
    vector
        .headers()
        .forEach(
            (header, value) -> {
              if (!header.equals("Content-Type") && !header.endsWith("-Version")) {
                eachChange(value, changed -> refused(vector, vector.with(header, changed)));
              }
            });
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void aSignatureMustBeThereOnceAndWhole(Vector vector) {
    String header = vector.signatureHeader();
    refused(vector, vector.without(header), FailureReason.MISSING_SIGNATURE);
    refused(vector, vector.repeating(header), FailureReason.MALFORMED_SIGNATURE);
    String signature = vector.header(header);
    for (int length = 0; length < signature.length(); length++) {
      refused(vector, vector.with(header, signature.substring(0, length)));
      refused(vector, vector.with(header, signature.substring(length + 1)));
    }
    refused(vector, vector.with(header, ""), FailureReason.MALFORMED_SIGNATURE);
  }

  private static void eachChange(String text, Consumer<String> action) {
    for (int i = 0; i < text.length(); i++) {
      char other = (char) (text.charAt(i) ^ 1);
      action.accept(text.substring(0, i) + other + text.substring(i + 1));
    }
  }

  private static void refused(Vector vector, UnverifiedRequest request) {
    assertThat(verify(vector, vector.secret(), request)).isInstanceOf(Verifier.Failed.class);
  }

  private static void refused(Vector vector, UnverifiedRequest request, FailureReason reason) {
    assertThat(verify(vector, vector.secret(), request)).isEqualTo(new Verifier.Failed(reason));
  }

  private static Verifier.Verdict verify(Vector vector, String secret, UnverifiedRequest request) {
    Preset known = Presets.of(vector.preset());
    Preset preset = known == null ? requireNonNull(ROWS.get(vector.preset())) : known;
    URI url = vector.url() == null ? null : URI.create(vector.url());
    return preset.verifier(List.of(secret), null, url).verify(request);
  }

  private static Vector withUrl(Vector v, String url) {
    return new Vector(v.name(), v.preset(), v.secret(), url, v.now(), v.body(), v.headers());
  }

  private static Preset timed(String header, String prefix, String template, String timestamp) {
    return row(header, prefix, Algorithm.HMAC_SHA256, Encoding.HEX, template, timestamp);
  }

  private static Preset row(
      String header,
      String prefix,
      Algorithm algorithm,
      Encoding encoding,
      String template,
      @Nullable String timestamp) {
    return preset(
        header, prefix, new Check("", algorithm, encoding, SecretForm.RAW), template, timestamp);
  }

  private static Preset publicKey(
      String header, Algorithm algorithm, Encoding encoding, SecretForm secret, String timestamp) {
    return preset(
        header, "", new Check("", algorithm, encoding, secret), "{timestamp}{body}", timestamp);
  }

  private static Preset preset(
      String header, String prefix, Check check, String template, @Nullable String timestamp) {
    Scheme scheme =
        new Scheme(
            new SignaturePlace.Header(header),
            new Notation.Plain(prefix),
            List.of(check),
            Template.parse(template),
            timestamp == null
                ? null
                : new Timestamp(
                    new Timestamp.Place.Header(timestamp),
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(5)));
    EventKey none = new EventKey.None();
    return new Preset("row", List.of(new Preset.Variant(scheme, none)), none);
  }
}
