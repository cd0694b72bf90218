package dev.highwater.signature;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Percent-encoded text. */
final class PercentText {
  private PercentText() {}

  /**
   * What the text stands for. A {@code %} without two hex digits stands for itself: never throws.
   *
   * @param plusIsSpace as in forms
   */
  static String decode(String text, boolean plusIsSpace) {
    if (text.indexOf('%') < 0 && (!plusIsSpace || text.indexOf('+') < 0)) {
      return text;
    }
    byte[] from = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream to = new ByteArrayOutputStream(from.length);
    for (int i = 0; i < from.length; i++) {
      if (from[i] == '%'
          && i + 2 < from.length
          && HexFormat.isHexDigit(from[i + 1])
          && HexFormat.isHexDigit(from[i + 2])) {
        to.write(HexFormat.fromHexDigit(from[i + 1]) << 4 | HexFormat.fromHexDigit(from[i + 2]));
        i += 2;
      } else {
        to.write(plusIsSpace && from[i] == '+' ? ' ' : from[i]);
      }
    }
    return to.toString(StandardCharsets.UTF_8);
  }
}
