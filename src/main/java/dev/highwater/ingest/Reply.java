package dev.highwater.ingest;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What a request is answered with. The client has no say in its form. */
sealed interface Reply permits Receipt, Problem, HandshakeReply {
  /** The word by which it is counted. */
  String outcome();

  /**
   * Writes status, headers and body.
   *
   * @throws IOException if the client has gone
   */
  void writeTo(HttpServletResponse response) throws IOException;

  /** Sends {@code body} as it is, or no body at all when it is empty. */
  static void send(HttpServletResponse response, int status, String contentType, byte[] body)
      throws IOException {
    response.setStatus(status);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (status != HttpServletResponse.SC_NO_CONTENT) {
      response.setContentLength(body.length);
      if (body.length > 0) {
        response.setContentType(contentType);
        response.getOutputStream().write(body);
      }
    }
    response.flushBuffer();
  }
}
