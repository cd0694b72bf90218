package dev.highwater.ingest;

import dev.highwater.hook.Headers;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a body says that it is encoded. It is kept as it came, so that a signature over the sent
 * bytes can be checked; here it is only looked at whether it could be inflated later.
 */
enum ContentEncoding {
  NONE,
  GZIP,
  DEFLATE;

  /** The one encoding of a body; null where there are several or one that is not supported. */
  static @Nullable ContentEncoding of(Headers headers) {
    ContentEncoding found = NONE;
    for (String value : headers.all("content-encoding")) {
      for (String part : value.split(",", -1)) {
        String name = part.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || name.equals("identity")) {
          continue;
        }
        if (found != NONE) {
          return null;
        }
        switch (name) {
          case "gzip", "x-gzip" -> found = GZIP;
          case "deflate" -> found = DEFLATE;
          default -> {
            return null;
          }
        }
      }
    }
    return found;
  }

  /**
   * Whether a body is what it says. One without bytes has nothing that could be damaged.
   *
   * @param bound how many bytes are inflated at most; what is not damaged up to there is taken for
   *     good
   */
  boolean isOf(byte[] body, long bound) {
    return body.length == 0
        || switch (this) {
          case NONE -> true;
          case GZIP -> new Inflation(body, bound).isGzip();
          // With the frame of zlib as HTTP has it, or bare as some senders have it.
          case DEFLATE ->
              new Inflation(body, bound).isDeflate(false)
                  || new Inflation(body, bound).isDeflate(true);
        };
  }
}
