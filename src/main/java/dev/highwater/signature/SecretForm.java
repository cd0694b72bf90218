package dev.highwater.signature;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** How a key is written as text in the configuration. */
public enum SecretForm {
  /** The text itself is the key, every character of it. */
  RAW("any text") {
    @Override
    byte @Nullable [] read(String secret) {
      return secret.getBytes(StandardCharsets.UTF_8);
    }
  },

  HEX("hex digits") {
    @Override
    byte @Nullable [] read(String secret) {
      return Encoding.HEX.decode(secret);
    }
  },

  /** Standard alphabet, with or without padding. */
  BASE64("base64") {
    @Override
    byte @Nullable [] read(String secret) {
      return Encoding.decodeBase64(secret);
    }
  },

  /**
   * Base64, with or without {@code whsec_} in front. Only the standard alphabet: it has no {@code
   * _}, so a misspelt prefix is an error and not another key.
   */
  WHSEC("base64, with or without whsec_ in front") {
    @Override
    byte @Nullable [] read(String secret) {
      return Encoding.decodeBase64(withoutPrefix(secret, "whsec_"));
    }
  },

  /** A user and a password as they stand in Basic authentication. */
  USER_AND_PASSWORD("a user, a colon and a password") {
    @Override
    byte @Nullable [] read(String secret) {
      return secret.indexOf(':') > 0 && !secret.endsWith(":") ? RAW.read(secret) : null;
    }
  },

  /** Base64 of a public key after {@code whpk_}. */
  WHPK("a public key in base64 after whpk_") {
    @Override
    byte @Nullable [] read(String secret) {
      String key = withoutPrefix(secret, "whpk_");
      return key.length() == secret.length() ? null : Encoding.decodeBase64(key);
    }
  };

  private final String expected;

  SecretForm(String expected) {
    this.expected = expected;
  }

  /** What is expected, for an error message. */
  String expected() {
    return expected;
  }

  /**
   * The key, or null where the text is not of this form or holds nothing but zeros. HMAC fills a
   * key up with zeros, so such a one is the empty key, which anybody can sign with; and as an
   * Ed25519 key it is a point for which signatures can be made up.
   */
  byte @Nullable [] decode(String secret) {
    byte[] key = read(secret);
    return key == null || isZero(key) ? null : key;
  }

  private static boolean isZero(byte[] key) {
    for (byte b : key) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  abstract byte @Nullable [] read(String secret);

  private static String withoutPrefix(String text, String prefix) {
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }
}
