package dev.highwater.ingest;

import java.nio.charset.StandardCharsets;
import org.apache.coyote.Request;
import org.apache.tomcat.util.buf.ByteChunk;

/**
 * Whether a request says in two ways where its body ends. The server believes the
 * Transfer-Encoding, as the standard has it, and takes the Content-Length out of the headers; a
 * proxy in front that believed the other one would see another request behind this one. Nobody
 * sends both by mistake, so such a request is refused.
 */
final class Framing {
  private static final byte[] CONTENT_LENGTH =
      "content-length:".getBytes(StandardCharsets.US_ASCII);

  private Framing() {}

  /**
   * Whether there is a Content-Length beside a Transfer-Encoding. What the server has taken out can
   * only be seen in the bytes that arrived, which it parses in place; so these are looked at, but
   * only where there is a Transfer-Encoding.
   */
  static boolean isAmbiguous(Request request) {
    if (request.getMimeHeaders().getValue("transfer-encoding") == null) {
      return false;
    }
    if (request.getMimeHeaders().getValue("content-length") != null) {
      return true;
    }
    ByteChunk target = request.requestURI().getByteChunk();
    return target.getBytes() != null && hasContentLength(target.getBytes(), target.getStart());
  }

  /** Looks at the lines after the one that {@code at} is in, up to the empty one. */
  private static boolean hasContentLength(byte[] bytes, int at) {
    int line = nextLine(bytes, at);
    while (line < bytes.length && bytes[line] != '\n' && bytes[line] != '\r') {
      if (isContentLength(bytes, line)) {
        return true;
      }
      line = nextLine(bytes, line);
    }
    return false;
  }

  private static int nextLine(byte[] bytes, int at) {
    int next = at;
    while (next < bytes.length && bytes[next] != '\n') {
      next++;
    }
    return next + 1;
  }

  private static boolean isContentLength(byte[] bytes, int at) {
    if (bytes.length - at < CONTENT_LENGTH.length) {
      return false;
    }
    for (int i = 0; i < CONTENT_LENGTH.length; i++) {
      byte b = bytes[at + i];
      if (CONTENT_LENGTH[i] != (b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b)) {
        return false;
      }
    }
    return true;
  }
}
