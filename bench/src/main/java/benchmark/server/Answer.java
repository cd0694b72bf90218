package benchmark.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What every row answers: as many bytes, and the same headers, as Highwater. */
final class Answer {
  private static final String ID = "01a22ba4-4915-7cf1-a165-77c754ff8f0a";
  private static final byte[] BODY =
      ("{\"id\":\"" + ID + "\",\"status\":\"accepted\"}").getBytes(US_ASCII);

  private Answer() {}

  static void send(HttpServletResponse response) throws IOException {
    response.setStatus(201);
    response.setHeader("webhook-id", ID);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentType("application/json");
    response.setContentLength(BODY.length);
    response.getOutputStream().write(BODY);
  }
}
