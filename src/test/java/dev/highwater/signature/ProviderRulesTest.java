package dev.highwater.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.Headers;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only one provider does. */
class ProviderRulesTest {
  private static final long NOW = Recipes.NOW;
  private static final String ADYEN_KEY =
      "9064450A8892A093D9E97EFCC9639DE31B74F3A7803135555A3C96F5A57915D6";

  /** Published by the provider. */
  private static final String ADYEN_ITEM =
      "{\"NotificationRequestItem\":{\"additionalData\":{\"hmacSignature\":"
          + "\"NuEkADFmlCC6VgX+wcoPAegIWxVPNBPCuKlM4Hzo5qc=\"},\"amount\":{\"value\":0,"
          + "\"currency\":\"EUR\"},\"eventCode\":\"REPORT_AVAILABLE\","
          + "\"merchantAccountCode\":\"Magento2Rik\",\"merchantReference\":\"testMerchantRef1\","
          + "\"pspReference\":\"test_REPORT_AVAILABLE\",\"success\":\"true\"}}";

  private static final Verifier.Failed MISSING =
      new Verifier.Failed(FailureReason.MISSING_SIGNATURE);
  private static final Verifier.Failed MALFORMED =
      new Verifier.Failed(FailureReason.MALFORMED_SIGNATURE);
  private static final Verifier.Failed NO_MATCH = new Verifier.Failed(FailureReason.NO_MATCH);
  private static final Verifier.Failed TOO_FAR =
      new Verifier.Failed(FailureReason.TIMESTAMP_OUT_OF_TOLERANCE);

  // Adyen

  @Test
  void adyenSignsEveryItem() {
    verified(adyen("[" + ADYEN_ITEM + "]"));
    verified(adyen("[" + ADYEN_ITEM + " , " + adyenItem("ref:1", "17") + "]"));
  }

  @Test
  void anyByteOfAnAdyenItemCounts() {
    String body = adyenBody("[" + ADYEN_ITEM + "]");
    // Adyen signs the items, not what is around them.
    int live = body.indexOf("live");
    int liveEnd = body.indexOf("false") + "false".length();
    for (int i = 0; i < body.length(); i++) {
      if (i < live || i >= liveEnd) {
        byte[] changed = body.getBytes(UTF_8);
        changed[i] ^= 1;
        assertThat(verify("adyen", ADYEN_KEY, changed)).isInstanceOf(Verifier.Failed.class);
      }
    }
    for (int length = 0; length < body.length(); length++) {
      assertThat(verify("adyen", ADYEN_KEY, body.substring(0, length).getBytes(UTF_8)))
          .isInstanceOf(Verifier.Failed.class);
    }
    for (int i = 0; i < ADYEN_KEY.length(); i++) {
      char other = ADYEN_KEY.charAt(i) == '0' ? '1' : '0';
      String key = ADYEN_KEY.substring(0, i) + other + ADYEN_KEY.substring(i + 1);
      assertThat(verify("adyen", key, body.getBytes(UTF_8))).isEqualTo(NO_MATCH);
    }
  }

  @Test
  void oneAdyenItemThatIsNotSignedSpoilsAll() {
    String unsigned = ADYEN_ITEM.replaceFirst("\"hmacSignature\":\"[^\"]*\"", "\"a\":\"b\"");
    assertThat(adyen("[" + ADYEN_ITEM + "," + unsigned + "]")).isEqualTo(MISSING);
    String forged = ADYEN_ITEM.replace("testMerchantRef1", "testMerchantRef2");
    assertThat(adyen("[" + ADYEN_ITEM + "," + forged + "]")).isEqualTo(NO_MATCH);
    assertThat(adyen("[" + ADYEN_ITEM + ",1]")).isEqualTo(MISSING);
    assertThat(adyen("[]")).isEqualTo(MISSING);
    assertThat(adyen("{}")).isEqualTo(MISSING);
    assertThat(adyen("[" + ADYEN_ITEM + "]}{\"a\":[]")).isEqualTo(MISSING);
  }

  /** Which of two would count is up to whoever reads them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "],\"notificationItems\":[{}]",
        "],\"notificationItem\\u0073\":[{}]",
      })
  void noSecondListMayStandBesideTheSignedOne(String more) {
    String body = adyenBody("[" + ADYEN_ITEM + "]").replace("]", more);
    assertThat(verify("adyen", ADYEN_KEY, body.getBytes(UTF_8))).isEqualTo(MISSING);
  }

  @Test
  void noSecondFieldMayStandBesideTheSignedOne() {
    String twice =
        ADYEN_ITEM.replace("\"success\":\"true\"", "\"success\":\"true\",\"success\":\"no\"");
    assertThat(adyen("[" + twice + "]")).isEqualTo(MISSING);
  }

  @Test
  void anAdyenFieldThatIsNoTextIsNotTakenForAnAbsentOne() {
    String with = ADYEN_ITEM.replace("\"success\"", "\"originalReference\":{},\"success\"");
    assertThat(adyen("[" + with + "]")).isEqualTo(MALFORMED);
    String isNull = ADYEN_ITEM.replace("\"success\"", "\"originalReference\":null,\"success\"");
    verified(adyen("[" + isNull + "]"));
  }

  @Test
  @Timeout(20)
  void moreItemsThanTheBoundAreNotLookedAt() {
    String many = (ADYEN_ITEM + ",").repeat(JsonItems.MOST) + ADYEN_ITEM;
    assertThat(adyen("[" + many + "]")).isEqualTo(MISSING);
    verified(adyen("[" + many.substring(ADYEN_ITEM.length() + 1) + "]"));
  }

  @Test
  void aBodyThatIsNotUtf8HasNoItems() {
    String body = adyenBody("[" + ADYEN_ITEM + "]");
    for (var charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      assertThat(verify("adyen", ADYEN_KEY, body.getBytes(charset))).isEqualTo(MISSING);
    }
    assertThat(verify("adyen", ADYEN_KEY, ("\ufeff" + body).getBytes(UTF_8))).isEqualTo(MISSING);
  }

  // Microsoft Graph

  @Test
  void everyNotificationOfMsgraphHasTheClientState() {
    String good = "{\"subscriptionId\":\"1\",\"clientState\":\"s3cret\"}";
    verified(verify("msgraph", "s3cret", "{\"value\":[" + good + "," + good + "]}"));
    assertThat(verify("msgraph", "other", "{\"value\":[" + good + "]}")).isEqualTo(NO_MATCH);
    for (String bad : List.of("{\"clientState\":\"s3creT\"}", "{\"clientState\":\"s3cretx\"}")) {
      String body = "{\"value\":[" + good + "," + bad + "]}";
      assertThat(verify("msgraph", "s3cret", body)).isEqualTo(NO_MATCH);
    }
    for (String bad : List.of("{}", "{\"clientState\":null}", "{\"clientState\":[\"s3cret\"]}")) {
      String body = "{\"value\":[" + good + "," + bad + "]}";
      assertThat(verify("msgraph", "s3cret", body)).isEqualTo(MISSING);
    }
    assertThat(verify("msgraph", "s3cret", "{\"value\":[]}")).isEqualTo(MISSING);
    assertThat(verify("msgraph", "s3cret", "")).isEqualTo(MISSING);
  }

  // Mailgun

  @Test
  void mailgunSignsTheTimeAndTheToken() {
    verified(mailgun(NOW, "t0ken", NOW + "t0ken"));
    assertThat(mailgun(NOW, "t0kem", NOW + "t0ken")).isEqualTo(NO_MATCH);
    assertThat(mailgun(NOW + 1, "t0ken", NOW + "t0ken")).isEqualTo(NO_MATCH);
    long tolerance = Duration.ofHours(9).toSeconds();
    for (long time : new long[] {NOW - tolerance, NOW + tolerance}) {
      verified(mailgun(time, "t", time + "t"));
    }
    for (long time : new long[] {NOW - tolerance - 1, NOW + tolerance + 1}) {
      assertThat(mailgun(time, "t", time + "t")).isEqualTo(TOO_FAR);
    }
    assertThat(verify("mailgun", "k", "{\"event-data\":{\"id\":1}}")).isEqualTo(MISSING);
    assertThat(verify("mailgun", "k", "{\"signature\":{\"signature\":\"00\"}}"))
        .isEqualTo(MALFORMED);
  }

  // Twilio

  @Test
  void twilioMayLeaveTheDefaultPortOutOrPutItIn() {
    for (String[] pair :
        new String[][] {
          {"https://h.example/a", "https://h.example:443/a"},
          {"http://h.example/a", "http://h.example:80/a"},
          {"https://u:p@h.example/a", "https://u:p@h.example:443/a"},
        }) {
      verified(twilio(pair[0], pair[0], "/a"));
      verified(twilio(pair[0], pair[1], "/a"));
      verified(twilio(pair[1], pair[0], "/a"));
      verified(twilio(pair[1], pair[1], "/a"));
    }
    assertThat(twilio("https://h.example/a", "https://h.example:80/a", "/a")).isEqualTo(NO_MATCH);
    assertThat(twilio("https://h.example/a", "http://h.example/a", "/a")).isEqualTo(NO_MATCH);
    verified(twilio("https://h.example/a?b=1", "https://h.example:443/a?b=2", "/a?b=2"));
  }

  /** What was signed for one URL must not carry another body. */
  @Test
  void twilioSignsNoBodyThatIsNeitherAFormNorInTheUrl() {
    String url = "https://h.example/a";
    String signature = Recipes.base64(Recipes.hmac("HmacSHA1", "k", url));
    Verifier verifier = verifier("twilio", "k", url);
    for (String type : List.of("application/json", "text/plain", "")) {
      assertThat(
              verifier.verify(
                  request("/a", "{}", "X-Twilio-Signature", signature, "Content-Type", type)))
          .isEqualTo(MALFORMED);
    }
    assertThat(verifier.verify(request("/a", "", "X-Twilio-Signature", signature)))
        .isInstanceOf(Verifier.Verified.class);
  }

  @Test
  void theDigestInATwilioUrlMustBeTheOneOfTheBody() {
    for (String query :
        List.of(
            "bodySHA256=" + Recipes.hex(Recipes.sha256("another")),
            "bodySHA256=",
            "bodySHA256=zz",
            "bodySHA256="
                + Recipes.hex(Recipes.sha256("{}"))
                + "&bodySHA256="
                + Recipes.hex(Recipes.sha256("{}")))) {
      String url = "https://h.example/a?" + query;
      String signature = Recipes.base64(Recipes.hmac("HmacSHA1", "k", url));
      assertThat(
              verifier("twilio", "k", "https://h.example/a")
                  .verify(request("/a?" + query, "{}", "X-Twilio-Signature", signature)))
          .isEqualTo(NO_MATCH);
    }
  }

  // HubSpot

  @Test
  void theNewestHubSpotSignatureCounts() {
    String v1 = Recipes.hex(Recipes.sha256("k{}"));
    Verifier verifier = verifier("hubspot", "k", "https://h.example/a");
    String[] old = {"X-HubSpot-Signature", v1, "X-HubSpot-Signature-Version", "v1"};
    assertThat(verifier.verify(request("/a", "{}", old))).isInstanceOf(Verifier.Verified.class);
    assertThat(
            verifier.verify(
                request(
                    "/a",
                    "{}",
                    old[0],
                    old[1],
                    old[2],
                    old[3],
                    "X-HubSpot-Signature-v3",
                    "AAAA",
                    "X-HubSpot-Request-Timestamp",
                    NOW + "000")))
        .isEqualTo(NO_MATCH);
    for (String version : List.of("v3", "V1", "", "v9")) {
      assertThat(verifier.verify(request("/a", "{}", old[0], v1, old[2], version)))
          .isInstanceOf(Verifier.Failed.class);
    }
    assertThat(verifier.verify(request("/a", "{}", old[0], v1))).isEqualTo(MALFORMED);
    assertThat(verifier.verify(request("/a", "{}", old[0], v1, old[2], "v1", old[2], "v1")))
        .isEqualTo(MALFORMED);
  }

  // DocuSign

  @Test
  void anyOfTheDocusignKeysWillDo() {
    String good = Recipes.base64(Recipes.hmac("HmacSHA256", "k", "{}"));
    String other = Recipes.base64(Recipes.hmac("HmacSHA256", "other", "{}"));
    Verifier verifier = verifier("docusign", "k", null);
    for (String header : List.of("X-DocuSign-Signature-2", "x-docusign-signature-32")) {
      verified(verifier.verify(request("/a", "{}", "X-DocuSign-Signature-1", other, header, good)));
      assertThat(verifier.verify(request("/a", "{}", header, good, header, good)))
          .isEqualTo(MALFORMED);
    }
    assertThat(verifier.verify(request("/a", "{}", "X-DocuSign-Signature-1", other)))
        .isEqualTo(NO_MATCH);
    assertThat(verifier.verify(request("/a", "{}", "X-DocuSign-Signature-0", good)))
        .isEqualTo(MISSING);
  }

  // Tokens

  @Test
  void theNameOfAnAuthorizationSchemeMayBeInAnyCase() {
    Verifier verifier = verifier("bearer", "t0ken", null);
    for (String value : List.of("Bearer t0ken", "bearer t0ken", "BEARER   t0ken")) {
      verified(verifier.verify(request("/a", "", "authorization", value)));
    }
    for (String value : List.of("Bearer", "Bearer ", "Bearert0ken", "Basic t0ken", "t0ken", "")) {
      assertThat(verifier.verify(request("/a", "", "Authorization", value))).isEqualTo(MALFORMED);
    }
    for (String value : List.of("Bearer t0keN", "Bearer t0ken ", "Bearer t0ke", "Bearer t")) {
      assertThat(verifier.verify(request("/a", "", "Authorization", value))).isEqualTo(NO_MATCH);
    }
  }

  @Test
  void cloudEventsBringTheTokenInTheHeaderOrTheQuery() {
    Verifier verifier = verifier("cloudevents", "t0k&n", null);
    verified(verifier.verify(request("/a", "", "Authorization", "Bearer t0k&n")));
    verified(verifier.verify(request("/a?x=1&access_token=t0k%26n", "")));
    assertThat(verifier.verify(request("/a?access_token=t0k%26", ""))).isEqualTo(NO_MATCH);
    assertThat(verifier.verify(request("/a?access_token=t0k%26n&access_token=t0k%26n", "")))
        .isEqualTo(MALFORMED);
    assertThat(verifier.verify(request("/a", ""))).isEqualTo(MISSING);
    assertThat(
            verifier.verify(
                request("/a?access_token=t0k%26n", "", "Authorization", "Bearer wrong")))
        .isEqualTo(NO_MATCH);
  }

  @Test
  void aBasicSecretIsAUserAndAPassword() {
    for (String secret : List.of("password", ":password", "user:")) {
      assertThatThrownBy(() -> verifier("basic", secret, null))
          .isInstanceOf(UnusableSecretException.class)
          .hasMessageContaining("a user, a colon and a password");
    }
  }

  @Test
  void theSignatureOfGitlabCountsBeforeItsToken() {
    Verifier verifier = verifier("gitlab", "t0ken", null);
    verified(verifier.verify(request("/a", "", "X-Gitlab-Token", "t0ken")));
    assertThat(
            verifier.verify(
                request(
                    "/a",
                    "",
                    "X-Gitlab-Token",
                    "t0ken",
                    "webhook-signature",
                    "v1,AAAA",
                    "webhook-id",
                    "1",
                    "webhook-timestamp",
                    "" + NOW)))
        .isEqualTo(NO_MATCH);
  }

  private static void verified(Verifier.Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verifier.Verified.class);
  }

  private static Verifier.Verdict adyen(String items) {
    return verify("adyen", ADYEN_KEY, adyenBody(items));
  }

  private static String adyenBody(String items) {
    return "{\"live\":\"false\",\"notificationItems\":" + items + "}";
  }

  private static String adyenItem(String reference, String value) {
    String signed = "psp:orig:M:" + reference + ":" + value + ":EUR:CAPTURE:true";
    byte[] key = HexFormat.of().parseHex(ADYEN_KEY);
    String signature = Recipes.base64(Recipes.hmac("HmacSHA256", key, signed));
    return "{\"NotificationRequestItem\":{\"pspReference\":\"psp\",\"originalReference\":\"orig\","
        + "\"merchantAccountCode\":\"M\",\"merchantReference\":\""
        + reference
        + "\",\"amount\":{\"currency\":\"EUR\",\"value\":"
        + value
        + "},\"eventCode\":\"CAPTURE\",\"success\":\"true\",\"additionalData\":{\"hmacSignature\":\""
        + signature
        + "\"}}}";
  }

  private static Verifier.Verdict mailgun(long time, String token, String signed) {
    String signature = Recipes.hex(Recipes.hmac("HmacSHA256", "k", signed));
    String body =
        "{\"signature\":{\"timestamp\":\"%d\",\"token\":\"%s\",\"signature\":\"%s\"}}"
            .formatted(time, token, signature);
    return verify("mailgun", "k", body);
  }

  private static Verifier.Verdict twilio(String externalUrl, String signedUrl, String target) {
    String signature = Recipes.base64(Recipes.hmac("HmacSHA1", "k", signedUrl + "a1"));
    return verifier("twilio", "k", externalUrl)
        .verify(
            request(
                target,
                "a=1",
                "X-Twilio-Signature",
                signature,
                "Content-Type",
                "application/x-www-form-urlencoded"));
  }

  private static Verifier.Verdict verify(String type, String secret, String body) {
    return verify(type, secret, body.getBytes(UTF_8));
  }

  private static Verifier.Verdict verify(String type, String secret, byte[] body) {
    return verifier(type, secret, null)
        .verify(new UnverifiedRequest("POST", "/a", Headers.none(), body, NOW * 1000));
  }

  private static Verifier verifier(String type, String secret, @Nullable String url) {
    return requireNonNull(Presets.of(type))
        .verifier(List.of(secret), null, url == null ? null : URI.create(url));
  }

  private static UnverifiedRequest request(String target, String body, String... headers) {
    return new UnverifiedRequest(
        "POST", target, Headers.of(headers), body.getBytes(UTF_8), NOW * 1000);
  }
}
