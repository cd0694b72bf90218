package dev.highwater.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Requests signed as the provider's documentation says, with nothing of the engine: for the ones
 * that publish no signed request.
 */
final class Recipes {
  static final long NOW = 1_700_000_000L;
  private static final String BODY = "{\"event\":\"caf\\u00e9 é\",\"n\":1}";
  private static final String KEY = "a provider's secret";

  private Recipes() {}

  static List<Vector> all() {
    return List.of(
        vector("gitlab-token", "gitlab", Map.of("X-Gitlab-Token", KEY)),
        gitlabSigned(),
        vector(
            "meta",
            "meta",
            Map.of("X-Hub-Signature-256", "sha256=" + hex(hmac("HmacSHA256", KEY, BODY)))),
        linear(),
        vector("paddle", "paddle", Map.of("Paddle-Signature", "ts=" + NOW + ";h1=" + paddle())),
        vector(
            "intercom",
            "intercom",
            Map.of("X-Hub-Signature", "sha1=" + hex(hmac("HmacSHA1", KEY, BODY)))),
        hubspot3(),
        vector(
            "docusign",
            "docusign",
            Map.of("X-DocuSign-Signature-1", base64(hmac("HmacSHA256", KEY, BODY)))),
        vector("okta", "okta", Map.of("Authorization", KEY)),
        vector(
            "x",
            "x",
            Map.of(
                "x-twitter-webhooks-signature", "sha256=" + base64(hmac("HmacSHA256", KEY, BODY)))),
        vector(
            "dropbox",
            "dropbox",
            Map.of("X-Dropbox-Signature", hex(hmac("HmacSHA256", KEY, BODY)))),
        vector("cloudevents", "cloudevents", Map.of("Authorization", "Bearer " + KEY)),
        vector("bearer", "bearer", Map.of("Authorization", "Bearer " + KEY)),
        signed(
            "basic",
            "basic",
            "user:pass:word",
            null,
            BODY,
            Map.of("Authorization", "Basic " + base64("user:pass:word".getBytes(UTF_8)))),
        twilioJson());
  }

  private static Vector gitlabSigned() {
    byte[] key = "thirty-two bytes of a signing key".getBytes(UTF_8);
    String signed = "f5e5f430-f57b-4e6e-9fac-d9128cd7232f." + NOW + "." + BODY;
    return signed(
        "gitlab-signed",
        "gitlab",
        "whsec_" + base64(key),
        null,
        BODY,
        Map.of(
            "webhook-id",
            "f5e5f430-f57b-4e6e-9fac-d9128cd7232f",
            "webhook-timestamp",
            "" + NOW,
            "webhook-signature",
            "v1," + base64(hmac("HmacSHA256", key, signed))));
  }

  private static Vector linear() {
    String body = "{\"action\":\"create\",\"webhookTimestamp\":" + NOW + "000}";
    String signature = hex(hmac("HmacSHA256", KEY, body));
    return signed("linear", "linear", KEY, null, body, Map.of("Linear-Signature", signature));
  }

  private static String paddle() {
    return hex(hmac("HmacSHA256", KEY, NOW + ":" + BODY));
  }

  private static Vector hubspot3() {
    String signed = "POSThttps://hooks.example.com/hubspot?tag=a/b" + BODY + NOW + "000";
    return signed(
        "hubspot-v3",
        "hubspot",
        KEY,
        "https://hooks.example.com/hubspot?tag=a%2Fb",
        BODY,
        Map.of(
            "X-HubSpot-Request-Timestamp",
            NOW + "000",
            "X-HubSpot-Signature-v3",
            base64(hmac("HmacSHA256", KEY, signed))));
  }

  private static Vector twilioJson() {
    String url = "https://hooks.example.com/twilio?bodySHA256=" + hex(sha256(BODY));
    return signed(
        "twilio-json",
        "twilio",
        KEY,
        url,
        BODY,
        Map.of("X-Twilio-Signature", base64(hmac("HmacSHA1", KEY, url))));
  }

  private static Vector vector(String name, String type, Map<String, String> headers) {
    return signed(name, type, KEY, null, BODY, headers);
  }

  private static Vector signed(
      String name,
      String type,
      String secret,
      @Nullable String url,
      String body,
      Map<String, String> headers) {
    return new Vector(name, type, secret, url, NOW, body.getBytes(UTF_8), headers);
  }

  static byte[] hmac(String algorithm, String key, String signed) {
    return hmac(algorithm, key.getBytes(UTF_8), signed);
  }

  static byte[] hmac(String algorithm, byte[] key, String signed) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      return mac.doFinal(signed.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
