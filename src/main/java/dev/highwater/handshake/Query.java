package dev.highwater.handshake;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request target, decoded as providers encode it: percent signs, and {@code +} for a
 * space. What is not encoded rightly stands for itself. Never throws.
 */
final class Query {
  private Query() {}

  /**
   * Every value of a parameter, in order.
   *
   * @param query as it was sent, or null where there was none
   */
  static List<String> values(@Nullable String query, String parameter) {
    List<String> values = new ArrayList<>(1);
    if (query == null) {
      return values;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      if (decoded(name).equals(parameter)) {
        values.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      }
    }
    return values;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return text;
    }
  }
}
