package dev.highwater.signature;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** How bytes are written as text. Decoding never throws: what is not of that form is null. */
public enum Encoding {
  /** Two digits a byte, in either case. */
  HEX {
    @Override
    byte @Nullable [] decode(String text) {
      if (text.length() % 2 != 0 || !text.chars().allMatch(HexFormat::isHexDigit)) {
        return null;
      }
      return HexFormat.of().parseHex(text);
    }
  },

  /**
   * Standard alphabet, padded, and only the one text that stands for those bytes. A signature that
   * lost its last character is thereby not a signature any more.
   */
  BASE64 {
    @Override
    byte @Nullable [] decode(String text) {
      byte[] bytes = decodeBase64(text);
      return bytes != null && Base64.getEncoder().encodeToString(bytes).equals(text) ? bytes : null;
    }
  },

  /** Either alphabet (standard or URL-safe), with or without padding. */
  BASE64_LENIENT {
    @Override
    byte @Nullable [] decode(String text) {
      return decodeBase64(text.replace('-', '+').replace('_', '/'));
    }
  },

  /** The text itself, as UTF-8: for a token that is sent as it is. */
  RAW {
    @Override
    byte @Nullable [] decode(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  };

  abstract byte @Nullable [] decode(String text);

  /** Standard alphabet, with or without padding. */
  static byte @Nullable [] decodeBase64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }
}
