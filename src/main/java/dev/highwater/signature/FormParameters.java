package dev.highwater.signature;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The parameters of a form body, in the order in which they are signed. */
final class FormParameters {
  private static final int MOST = 1000;

  private static final Comparator<Map.Entry<String, String>> BY_NAME_AND_VALUE =
      Map.Entry.<String, String>comparingByKey().thenComparing(Map.Entry.comparingByValue());

  private FormParameters() {}

  private static boolean isForm(UnverifiedRequest request) {
    String type = request.headers().first("content-type");
    return type != null
        && type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded");
  }

  /** The first value of that name; null where there is none or the body is not a form. */
  static @Nullable String first(UnverifiedRequest request, String wanted) {
    if (!isForm(request)) {
      return null;
    }
    String form = new String(request.body(), StandardCharsets.UTF_8);
    for (int at = 0; at < form.length(); ) {
      int end = form.indexOf('&', at);
      end = end < 0 ? form.length() : end;
      int equals = form.indexOf('=', at, end);
      if (equals >= 0 && PercentText.decode(form.substring(at, equals), true).equals(wanted)) {
        return PercentText.decode(form.substring(equals + 1, end), true);
      }
      at = end + 1;
    }
    return null;
  }

  /**
   * Name, value, name, value, …, sorted by name and then value, each pair once. Null where it has
   * more than {@value #MOST} parameters, and where the body is not a form and not empty either: a
   * body that is not signed must not come along with what is.
   */
  static byte @Nullable [] sorted(UnverifiedRequest request) {
    if (!isForm(request)) {
      return request.body().length == 0 ? new byte[0] : null;
    }
    TreeSet<Map.Entry<String, String>> sorted = new TreeSet<>(BY_NAME_AND_VALUE);
    String form = new String(request.body(), StandardCharsets.UTF_8);
    int count = 0;
    for (int at = 0; at < form.length(); ) {
      if (++count > MOST) {
        return null;
      }
      int end = form.indexOf('&', at);
      end = end < 0 ? form.length() : end;
      int equals = form.indexOf('=', at, end);
      boolean hasValue = equals >= 0;
      String name = form.substring(at, hasValue ? equals : end);
      String value = hasValue ? form.substring(equals + 1, end) : "";
      sorted.add(Map.entry(PercentText.decode(name, true), PercentText.decode(value, true)));
      at = end + 1;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(request.body().length);
    for (Map.Entry<String, String> parameter : sorted) {
      bytes.writeBytes(parameter.getKey().getBytes(StandardCharsets.UTF_8));
      bytes.writeBytes(parameter.getValue().getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
