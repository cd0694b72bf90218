package dev.highwater.ingest;

import dev.highwater.hook.Headers;
import java.util.Locale;

/**
 * Which bodies can be inflated later, when a sink asks for it. Here they are kept as they came, so
 * that a signature over the sent bytes can be checked.
 */
final class ContentEncodings {
  private ContentEncodings() {}

  /** Whether the body is plain, or is encoded once with gzip or deflate. */
  static boolean areSupported(Headers headers) {
    int encodings = 0;
    for (String value : headers.all("content-encoding")) {
      for (String part : value.split(",", -1)) {
        switch (part.strip().toLowerCase(Locale.ROOT)) {
          case "", "identity" -> {}
          case "gzip", "deflate" -> encodings++;
          default -> {
            return false;
          }
        }
      }
    }
    return encodings <= 1;
  }
}
