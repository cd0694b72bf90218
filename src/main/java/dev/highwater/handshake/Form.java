package dev.highwater.handshake;

import java.nio.charset.StandardCharsets;

/** What a challenge may look like. Linear time; no line break or control character passes. */
enum Form {
  /** Printable ASCII: it goes back as plain text, or escaped in JSON. */
  TEXT(1024) {
    @Override
    boolean allows(char c) {
      return c >= 0x20 && c <= 0x7E;
    }
  },

  /** What a host name, an origin or a wildcard is made of: it goes back in a header. */
  ORIGIN(256) {
    @Override
    boolean allows(char c) {
      return isLetterOrDigit(c) || ".-_*:/".indexOf(c) >= 0;
    }
  },

  /**
   * What base64, hex and UUIDs are made of: the only thing that is ever signed at a sender's wish.
   * No hook has this form, which needs a brace, a bracket or a quote, and no signed text of a
   * scheme with a time, which needs a colon or a dot.
   */
  TOKEN(256) {
    @Override
    boolean allows(char c) {
      return isLetterOrDigit(c) || "+/=-_".indexOf(c) >= 0;
    }
  };

  private final int longest;

  Form(int longest) {
    this.longest = longest;
  }

  abstract boolean allows(char c);

  /** Whether it is of this form: 1 to the form's most characters, each of them allowed. */
  boolean fits(String text) {
    if (text.isEmpty() || text.length() > longest) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!allows(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** The same of bytes. */
  boolean fits(byte[] text) {
    return text.length <= longest && fits(new String(text, StandardCharsets.ISO_8859_1));
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
