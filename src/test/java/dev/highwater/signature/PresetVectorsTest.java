package dev.highwater.signature;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.highwater.hook.Verification;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What others signed is accepted, and nothing that differs from it. */
class PresetVectorsTest {
  /** These send a secret and sign nothing. */
  private static final Set<String> SENDS_A_TOKEN =
      Set.of("gitlab-token", "okta", "bearer", "basic", "cloudevents");

  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  /** How far the time of each may be from the clock; what is not here signs none. */
  private static final Map<String, Duration> TOLERANCE =
      Map.of(
          "stripe", FIVE_MINUTES,
          "slack", FIVE_MINUTES,
          "zoom", FIVE_MINUTES,
          "discord", FIVE_MINUTES,
          "paddle", FIVE_MINUTES,
          "hubspot-v3", FIVE_MINUTES,
          "gitlab-signed", FIVE_MINUTES,
          "linear", Duration.ofSeconds(60),
          "sendgrid", Duration.ofHours(24));

  static Stream<Vector> vectors() {
    return Stream.concat(Vector.all().stream(), Recipes.all().stream());
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
    assumeThat(SENDS_A_TOKEN).doesNotContain(vector.name());
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
        String other = url.charAt(i) == '1' ? "2" : "1";
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
              if (!header.equals("Content-Type")) {
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

  @ParameterizedTest
  @MethodSource("vectors")
  void aTimeThatIsSignedMustBeNear(Vector vector) {
    Duration tolerance = TOLERANCE.get(vector.name());
    long now = vector.now() * 1000;
    if (tolerance == null) {
      assumeThat(requireNonNull(Presets.of(vector.preset())).type())
          .isNotIn("standard-webhooks", "svix", "stripe");
      assertAt(vector, now + Duration.ofDays(400).toMillis(), true);
    } else {
      assertAt(vector, now + tolerance.toMillis(), true);
      assertAt(vector, now - tolerance.toMillis(), true);
      assertAt(vector, now + tolerance.toMillis() + 1000, false);
      assertAt(vector, now - tolerance.toMillis() - 1000, false);
    }
  }

  private static void assertAt(Vector vector, long millis, boolean good) {
    UnverifiedRequest request = vector.at(millis);
    assertThat(verify(vector, vector.secret(), request))
        .isEqualTo(
            good
                ? new Verifier.Verified(new VerifiedRequest(request, Verification.VERIFIED))
                : new Verifier.Failed(FailureReason.TIMESTAMP_OUT_OF_TOLERANCE));
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
    Preset preset = requireNonNull(Presets.of(vector.preset()));
    URI url = vector.url() == null ? null : URI.create(vector.url());
    return preset.verifier(List.of(secret), null, url).verify(request);
  }

  private static Vector withUrl(Vector v, String url) {
    return new Vector(v.name(), v.preset(), v.secret(), url, v.now(), v.body(), v.headers());
  }
}
