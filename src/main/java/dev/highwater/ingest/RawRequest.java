package dev.highwater.ingest;

import dev.highwater.hook.Headers;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import org.apache.coyote.Request;
import org.apache.tomcat.util.http.MimeHeaders;
import org.jspecify.annotations.Nullable;

/**
 * What of a request the servlet API does not show: its headers in the order and the spelling in
 * which they came.
 */
final class RawRequest {
  /** The request attribute in which {@link PublicPortValve} leaves the server's own request. */
  private static final String ATTRIBUTE = "dev.highwater.ingest.raw-request";

  private RawRequest() {}

  static void remember(org.apache.catalina.connector.Request request) {
    request.setAttribute(ATTRIBUTE, request.getCoyoteRequest());
  }

  /**
   * All headers in order, repeated ones each time; null when a name is not a token or a value has a
   * byte outside 0x20 to 0x7E and TAB.
   */
  static @Nullable Headers headers(HttpServletRequest request) {
    Request raw =
        (Request)
            Objects.requireNonNull(
                request.getAttribute(ATTRIBUTE), "the public port runs without its valve");
    MimeHeaders fields = raw.getMimeHeaders();
    int size = fields.size();
    String[] pairs = new String[2 * size];
    for (int i = 0; i < size; i++) {
      String name = text(fields.getName(i).toString());
      String value = text(fields.getValue(i).toString());
      if (!isToken(name) || !isPrintable(value)) {
        return null;
      }
      pairs[2 * i] = name;
      pairs[2 * i + 1] = value;
    }
    return Headers.of(pairs);
  }

  /** The server says null for a header without a value. */
  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static boolean isToken(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean legal =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
      if (!legal) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  private static boolean isPrintable(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < 0x20 && c != '\t') || c > 0x7E) {
        return false;
      }
    }
    return true;
  }
}
