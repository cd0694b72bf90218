package dev.highwater.security;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A refusal of the operator port, as a problem document of RFC 9457. Nothing in the texts needs
 * escaping, and nothing of the request is in them.
 */
record Refusal(int status, String code, String title, String detail) {
  static final Refusal NOT_FROM_HERE =
      new Refusal(
          HttpServletResponse.SC_UNAUTHORIZED,
          "unauthorized",
          "Credentials are needed.",
          "None are configured, so only callers on the same machine are answered.");

  static final Refusal HOST =
      new Refusal(
          HttpServletResponse.SC_FORBIDDEN,
          "forbidden_host",
          "This Host is not answered.",
          "Without credentials it must be localhost or a loopback address.");

  static final Refusal ORIGIN =
      new Refusal(
          HttpServletResponse.SC_FORBIDDEN,
          "forbidden_origin",
          "This Origin is not answered.",
          "Pages of other origins may not call the operator port.");

  /** What the server refused by itself, before anybody could say why. */
  static Refusal ofServer(int status) {
    return status < 500
        ? new Refusal(
            status,
            "bad_request",
            "The request is not valid HTTP, or not answered here.",
            "Check the request line, the headers and the framing of the body.")
        : new Refusal(
            status,
            "internal_error",
            "The request could not be handled.",
            "Send it again; if it stays, look at the log.");
  }

  /**
   * Writes status, headers and body.
   *
   * @throws IOException if the client has gone
   */
  void writeTo(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    if (status == HttpServletResponse.SC_UNAUTHORIZED) {
      response.setHeader("WWW-Authenticate", "Bearer");
    }
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentType("application/problem+json");
    String document =
        """
        {"type":"urn:highwater:problem:%s","title":"%s","status":%d,"code":"%s","detail":"%s"}"""
            .formatted(code, title, status, code, detail);
    response.setContentLength(document.length());
    response.getOutputStream().print(document);
  }
}
