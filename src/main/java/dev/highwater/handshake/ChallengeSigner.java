package dev.highwater.handshake;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs challenges with the newest secret of a source. Any thread may call. Prints no key (G12).
 */
final class ChallengeSigner {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /**
   * A signer.
   *
   * @param secret the text that is the key, not empty
   */
  ChallengeSigner(String secret) {
    key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  byte[] sign(String token) {
    if (!Form.TOKEN.fits(token)) {
      throw new IllegalArgumentException("only what can never be a hook is signed");
    }
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(token.getBytes(StandardCharsets.US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
