package dev.highwater.sink.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret that signs as Standard Webhooks says. Immutable; any thread may call. */
final class SigningSecret {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PREFIX = "whsec_";

  private final SecretKeySpec key;

  private SigningSecret(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /**
   * Reads {@code whsec_} and base64, or any other text, which is then the key itself in UTF-8.
   *
   * @throws IllegalArgumentException if it is empty or not base64; the message goes on from the
   *     name of the key and never holds the secret
   */
  static SigningSecret parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("is empty");
    }
    if (!text.startsWith(PREFIX)) {
      return new SigningSecret(text.getBytes(UTF_8));
    }
    byte[] key;
    try {
      key = Base64.getDecoder().decode(text.substring(PREFIX.length()));
    } catch (IllegalArgumentException e) {
      // Without the cause: it quotes a character of the secret.
      throw new IllegalArgumentException("has no valid base64 after " + PREFIX);
    }
    if (key.length == 0) {
      throw new IllegalArgumentException("has nothing after " + PREFIX);
    }
    return new SigningSecret(key);
  }

  /**
   * One entry of {@code webhook-signature}.
   *
   * @param id as in {@code webhook-id}
   * @param timestamp as in {@code webhook-timestamp}
   * @param body the raw bytes
   */
  String sign(String id, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "a secret";
  }
}
