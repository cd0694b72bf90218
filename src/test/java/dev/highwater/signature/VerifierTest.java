package dev.highwater.signature;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.Headers;
import dev.highwater.hook.Verification;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a signature may look like, when it is too old, and what is said of one that is refused. */
class VerifierTest {
  private static final long NOW = 1_700_000_000L;
  private static final byte[] BODY = "{\"id\":\"evt_1\"}".getBytes(StandardCharsets.UTF_8);
  private static final String WHSEC = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
  private static final String WHPK = "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

  private static final Verifier.Failed MISSING =
      new Verifier.Failed(FailureReason.MISSING_SIGNATURE);
  private static final Verifier.Failed MALFORMED =
      new Verifier.Failed(FailureReason.MALFORMED_SIGNATURE);
  private static final Verifier.Failed NO_MATCH = new Verifier.Failed(FailureReason.NO_MATCH);
  private static final Verifier.Failed TOO_FAR =
      new Verifier.Failed(FailureReason.TIMESTAMP_OUT_OF_TOLERANCE);

  // Text of signatures

  @Test
  void hexMayBeUpperCase() {
    String hex = hmac("s", BODY).toUpperCase(Locale.ROOT);
    assertThat(github("sha256=" + hex)).isInstanceOf(Verifier.Verified.class);
  }

  @Test
  void aSignatureWithoutItsPrefixIsMalformed() {
    String hex = hmac("s", BODY);
    assertThat(github(hex)).isEqualTo(MALFORMED);
    assertThat(github("SHA256=" + hex)).isEqualTo(MALFORMED);
    assertThat(github("sha1=" + hex)).isEqualTo(MALFORMED);
    assertThat(github(" sha256=" + hex)).isEqualTo(MALFORMED);
  }

  @Test
  void anEmptySignatureIsMalformed() {
    assertThat(github("")).isEqualTo(MALFORMED);
    assertThat(github("sha256=")).isEqualTo(MALFORMED);
    assertThat(stripe("")).isEqualTo(MALFORMED);
    assertThat(stripe("t=" + NOW + ",v1=")).isEqualTo(MALFORMED);
    assertThat(standard("v1,", NOW)).isEqualTo(MALFORMED);
  }

  @Test
  void whatIsNotHexIsMalformed() {
    assertThat(github("sha256=zz" + hmac("s", BODY).substring(2))).isEqualTo(MALFORMED);
    assertThat(github("sha256=" + hmac("s", BODY) + "0")).isEqualTo(MALFORMED);
    assertThat(github("sha256=" + "\uff10".repeat(64))).isEqualTo(MALFORMED);
  }

  @Test
  void theSignatureOfAnotherSecretDoesNotMatch() {
    assertThat(github("sha256=" + hmac("t", BODY))).isEqualTo(NO_MATCH);
  }

  @Test
  void base64NeedsItsPaddingWhereTheProviderWritesIt() {
    String signature = standardSignature(NOW);
    assertThat(signature).endsWith("=");
    assertThat(standard(signature, NOW)).isInstanceOf(Verifier.Verified.class);
    assertThat(standard(signature.substring(0, signature.length() - 1), NOW)).isEqualTo(MALFORMED);
  }

  @Test
  void lenientBase64TakesEitherAlphabetWithOrWithoutPadding() {
    byte[] bytes = {(byte) 0xfb, (byte) 0xff, (byte) 0xfe, 1};
    for (String text : List.of("+//+AQ==", "+//+AQ", "-__-AQ==", "-__-AQ")) {
      assertThat(Encoding.BASE64_LENIENT.decode(text)).isEqualTo(bytes);
    }
    assertThat(Encoding.BASE64.decode("+//+AQ==")).isEqualTo(bytes);
    assertThat(Encoding.BASE64.decode("+//+AR==")).isNull();
    assertThat(Encoding.BASE64.decode("-__-AQ==")).isNull();
  }

  // Several signatures, several secrets

  @Test
  void anyOfSeveralSignaturesMayMatch() {
    String good = hmac("s", stripePayload(NOW));
    String bad = "00".repeat(32);
    assertThat(stripe("t=" + NOW + ",v1=" + bad + ",v1=" + good + ",v0=x"))
        .isInstanceOf(Verifier.Verified.class);
    assertThat(stripe("v1=nothex,v1=" + good + ",t=" + NOW)).isInstanceOf(Verifier.Verified.class);
    assertThat(stripe("t=" + NOW + ",v0=" + good)).isEqualTo(MALFORMED);
    String old = "v1," + Base64.getEncoder().encodeToString(new byte[32]);
    assertThat(standard(old + " v9,xyz " + standardSignature(NOW), NOW))
        .isInstanceOf(Verifier.Verified.class);
  }

  @Test
  void moreSignaturesThanTheBoundAreMalformed() {
    String bad = ",v1=" + "00".repeat(32);
    String good = ",v1=" + hmac("s", stripePayload(NOW));
    assertThat(stripe("t=" + NOW + bad.repeat(30) + good)).isInstanceOf(Verifier.Verified.class);
    assertThat(stripe("t=" + NOW + bad.repeat(31) + good)).isEqualTo(MALFORMED);
    String costly = "v1a," + Base64.getEncoder().encodeToString(new byte[64]);
    String request = String.join(" ", Collections.nCopies(5, costly));
    assertThat(verifier("standard-webhooks", WHPK).verify(standardRequest(request, NOW)))
        .isEqualTo(MALFORMED);
  }

  @Test
  void everySecretIsTried() {
    Verifier verifier = verifier("github", "newest", "older", "s");
    String hex = hmac("s", BODY);
    assertThat(verifier.verify(request(BODY, "X-Hub-Signature-256", "sha256=" + hex)))
        .isInstanceOf(Verifier.Verified.class);
  }

  @Test
  void aSharedSecretAndAPublicKeyMayStandBesideEachOther() {
    Vector ed25519 = Vector.named("standard-webhooks-ed25519");
    Verifier both = verifier("standard-webhooks", WHSEC, WHPK);
    assertThat(both.verify(ed25519.request())).isInstanceOf(Verifier.Verified.class);
    assertThat(both.verify(standardRequest(standardSignature(NOW), NOW)))
        .isInstanceOf(Verifier.Verified.class);
    assertThat(verifier("standard-webhooks", WHSEC).verify(ed25519.request())).isEqualTo(NO_MATCH);
  }

  @Test
  void aStandardSecretMayStandWithoutItsPrefix() {
    Verifier verifier = verifier("standard-webhooks", WHSEC.substring("whsec_".length()));
    assertThat(verifier.verify(standardRequest(standardSignature(NOW), NOW)))
        .isInstanceOf(Verifier.Verified.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "whsec_",
        "whpk_",
        "whsec_not base64",
        "whsk_AAAA",
        "whpk_AAAA",
        "whpk_!",
        "x!",
        // Nothing but zeros: an HMAC with it is one with the empty key.
        "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "AAAA",
        "whpk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
      })
  void aSecretThatIsNoKeyIsRefusedByItsPlace(String secret) {
    assertThatThrownBy(() -> verifier("standard-webhooks", WHSEC, secret))
        .isInstanceOfSatisfying(
            UnusableSecretException.class, e -> assertThat(e.index()).isEqualTo(1));
  }

  @Test
  void bothFamiliesOfHeadersAreTaken() {
    for (String type : List.of("standard-webhooks", "svix", "clerk", "resend", "openai")) {
      Verifier verifier = verifier(type, WHSEC);
      String signature = standardSignature(NOW);
      for (String prefix : List.of("webhook-", "svix-")) {
        assertThat(
                verifier.verify(
                    request(
                        BODY,
                        prefix + "id",
                        "msg_1",
                        prefix + "timestamp",
                        "" + NOW,
                        prefix + "signature",
                        signature)))
            .isInstanceOf(Verifier.Verified.class);
      }
    }
  }

  @Test
  void theEventIdIsTakenFromTheHeadersThatAreSigned() {
    Preset preset = requireNonNull(Presets.of("svix"));
    UnverifiedRequest mixed =
        request(BODY, "webhook-id", "slipped in", "svix-id", "signed", "svix-signature", "v1,x");
    assertThat(preset.keyOf(mixed)).isEqualTo(new EventKey.Header("svix-id"));
  }

  @Test
  void aHeaderThatIsSignedMustBeThereOnce() {
    Verifier verifier = verifier("standard-webhooks", WHSEC);
    String signature = standardSignature(NOW);
    assertThat(
            verifier.verify(
                request(BODY, "webhook-timestamp", "" + NOW, "webhook-signature", signature)))
        .isEqualTo(MISSING);
    assertThat(
            verifier.verify(request(BODY, "webhook-id", "msg_1", "webhook-signature", signature)))
        .isEqualTo(MISSING);
    assertThat(
            verifier.verify(
                request(
                    BODY,
                    "webhook-id",
                    "msg_1",
                    "Webhook-Id",
                    "msg_1",
                    "webhook-timestamp",
                    "" + NOW,
                    "webhook-signature",
                    signature)))
        .isEqualTo(MALFORMED);
  }

  // Time

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1700000000abc",
        "",
        "-1700000000",
        "+1700000000",
        " 1700000000",
        "1700000000.0",
        "0x1F",
        "\u0661\u0667\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660",
        "1e9",
        "NaN"
      })
  void aTimestampThatIsNotDigitsOnlyIsMalformed(String timestamp) {
    String hex = hmac("s", bytes(timestamp + "." + new String(BODY, StandardCharsets.UTF_8)));
    assertThat(stripe("t=" + timestamp + ",v1=" + hex)).isEqualTo(MALFORMED);
    assertThat(standard(standardSignature(timestamp), timestamp)).isEqualTo(MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1700000000000",
        "0",
        "1000000000000000000000000000000",
        "9223372036854775807",
        "9223372036854775808",
        "999999999999999",
        "18446744075409551616"
      })
  void aTimestampFarFromTheClockIsOutOfToleranceThoughSigned(String timestamp) {
    String hex = hmac("s", bytes(timestamp + "." + new String(BODY, StandardCharsets.UTF_8)));
    assertThat(stripe("t=" + timestamp + ",v1=" + hex)).isEqualTo(TOO_FAR);
    assertThat(standard(standardSignature(timestamp), timestamp)).isEqualTo(TOO_FAR);
  }

  @Test
  void aTimestampLongerThanAnyIsMalformed() {
    assertThat(stripe("t=" + "1".repeat(65) + ",v1=" + "00".repeat(32))).isEqualTo(MALFORMED);
  }

  @Test
  void theToleranceHoldsBothWaysInclusive() {
    for (long age : new long[] {-300, -299, 0, 299, 300}) {
      assertThat(standard(standardSignature(NOW - age), NOW - age))
          .isInstanceOf(Verifier.Verified.class);
    }
    for (long age : new long[] {-301, 301, 1_000_000}) {
      assertThat(standard(standardSignature(NOW - age), NOW - age)).isEqualTo(TOO_FAR);
    }
  }

  @Test
  void aSourceMayHaveItsOwnTolerance() {
    Preset preset = requireNonNull(Presets.of("stripe"));
    Verifier verifier = preset.verifier(List.of("s"), Duration.ofSeconds(10), null);
    for (long age : new long[] {-10, 10}) {
      assertThat(verifier.verify(stripeRequest(NOW - age))).isInstanceOf(Verifier.Verified.class);
    }
    for (long age : new long[] {-11, 11}) {
      assertThat(verifier.verify(stripeRequest(NOW - age))).isEqualTo(TOO_FAR);
    }
  }

  @Test
  void onlyASignedRequestIsCalledTooOld() {
    String hex = hmac("s", stripePayload(NOW - 9000));
    assertThat(stripe("t=" + (NOW - 9000) + ",v1=" + hex)).isEqualTo(TOO_FAR);
    assertThat(stripe("t=" + (NOW - 9001) + ",v1=" + hex)).isEqualTo(NO_MATCH);
  }

  @Test
  void twoTimestampsAreMalformed() {
    String hex = hmac("s", stripePayload(NOW));
    assertThat(stripe("t=" + NOW + ",t=" + NOW + ",v1=" + hex)).isEqualTo(MALFORMED);
    assertThat(stripe("v1=" + hex)).isEqualTo(MALFORMED);
  }

  @Test
  void anOldRequestIsRefusedWhereTheTimeIsSignedAndOnlyThere() {
    Vector body = Vector.named("github");
    UnverifiedRequest late =
        new UnverifiedRequest(
            "POST", "/", body.request().headers(), body.body(), (NOW + 86_400 * 365) * 1000);
    assertThat(verifier("github", body.secret()).verify(late))
        .isInstanceOf(Verifier.Verified.class);
    Vector timed = Vector.named("stripe");
    UnverifiedRequest lateTimed =
        new UnverifiedRequest(
            "POST", "/", timed.request().headers(), timed.body(), (timed.now() + 301) * 1000);
    assertThat(verifier("stripe", timed.secret()).verify(lateTimed)).isEqualTo(TOO_FAR);
  }

  // Bodies

  @Test
  void bodiesAreSignedByteForByte() {
    byte[][] bodies = {
      {},
      bytes("payload=%7B%22a%22%3A1%7D&b=+"),
      bytes("[{\"a\":1}]\r\n"),
      bytes("{\"a\":\"\\u00e9\"}"),
      {(byte) 0xff, 0, (byte) 0xfe, (byte) 0xc3}
    };
    for (byte[] body : bodies) {
      UnverifiedRequest request = request(body, "X-Hub-Signature-256", "sha256=" + hmac("s", body));
      assertThat(verifier("github", "s").verify(request))
          .isInstanceOfSatisfying(
              Verifier.Verified.class, v -> assertThat(v.request().request()).isSameAs(request));
    }
  }

  // Policies

  @Test
  void whatChecksNothingSaysSo() {
    Verifier none = requireNonNull(Presets.of("none")).verifier(List.of(), null, null);
    assertThat(none.verify(request(BODY)))
        .isInstanceOfSatisfying(
            Verifier.Verified.class,
            v -> assertThat(v.request().verification()).isEqualTo(Verification.NOT_CHECKED));
  }

  @Test
  void aFlaggingVerifierTakesWhatFailsAndMarksIt() {
    Verifier flagging = verifier("github", "s").flagging();
    String header = "X-Hub-Signature-256";
    for (UnverifiedRequest bad : List.of(request(BODY), request(BODY, header, "x"))) {
      assertThat(flagging.verify(bad))
          .isEqualTo(new Verifier.Verified(new VerifiedRequest(bad, Verification.FAILED)));
    }
    UnverifiedRequest good = request(BODY, header, "sha256=" + hmac("s", BODY));
    assertThat(flagging.verify(good))
        .isEqualTo(new Verifier.Verified(new VerifiedRequest(good, Verification.VERIFIED)));
  }

  @Test
  void whatVerifiesNeedsASecret() {
    Preset github = requireNonNull(Presets.of("github"));
    assertThatThrownBy(() -> github.verifier(List.of(), null, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> github.verifier(List.of(""), null, null))
        .isInstanceOf(UnusableSecretException.class);
  }

  @Test
  void manyThreadsMayCheckAtOnce() throws InterruptedException, ExecutionException {
    Verifier verifier = verifier("github", "s");
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int thread = 0; thread < 8; thread++) {
      byte[] body = bytes("body " + thread);
      UnverifiedRequest good = request(body, "X-Hub-Signature-256", "sha256=" + hmac("s", body));
      tasks.add(
          () -> {
            long verified = 0;
            for (int i = 0; i < 500; i++) {
              verified += verifier.verify(good) instanceof Verifier.Verified ? 1 : 0;
            }
            return verified;
          });
    }
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (Future<Long> verified : threads.invokeAll(tasks)) {
        assertThat(verified.get()).isEqualTo(500);
      }
    }
  }

  private static Verifier.Verdict github(String signature) {
    return verifier("github", "s").verify(request(BODY, "X-Hub-Signature-256", signature));
  }

  private static Verifier.Verdict stripe(String signature) {
    return verifier("stripe", "s").verify(request(BODY, "Stripe-Signature", signature));
  }

  private static UnverifiedRequest stripeRequest(long timestamp) {
    String hex = hmac("s", stripePayload(timestamp));
    return request(BODY, "Stripe-Signature", "t=" + timestamp + ",v1=" + hex);
  }

  private static byte[] stripePayload(long timestamp) {
    return bytes(timestamp + "." + new String(BODY, StandardCharsets.UTF_8));
  }

  private static Verifier.Verdict standard(String signature, Object timestamp) {
    return verifier("standard-webhooks", WHSEC).verify(standardRequest(signature, timestamp));
  }

  private static UnverifiedRequest standardRequest(String signature, Object timestamp) {
    return request(
        BODY,
        "webhook-id",
        "msg_1",
        "webhook-timestamp",
        timestamp.toString(),
        "webhook-signature",
        signature);
  }

  private static String standardSignature(Object timestamp) {
    byte[] key = Base64.getDecoder().decode(WHSEC.substring("whsec_".length()));
    byte[] signed = bytes("msg_1." + timestamp + "." + new String(BODY, StandardCharsets.UTF_8));
    return "v1," + Base64.getEncoder().encodeToString(hmac(key, signed));
  }

  private static Verifier verifier(String type, String... secrets) {
    return requireNonNull(Presets.of(type)).verifier(List.of(secrets), null, null);
  }

  private static UnverifiedRequest request(byte[] body, String... headers) {
    return new UnverifiedRequest(
        "POST", "/webhooks/a", Headers.of(headers), body, NOW * 1000 + 900);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hmac(String key, byte[] signed) {
    return HexFormat.of().formatHex(hmac(bytes(key), signed));
  }

  private static byte[] hmac(byte[] key, byte[] signed) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
