package benchmark.server;

import jakarta.servlet.http.HttpServletRequest;

/** Where a hook is put before it is answered. Any thread, at once; returns when that is done. */
interface Journal {
  /** Puts it there. */
  void keep(String id, String headers, byte[] body) throws Exception;

  /** The headers as text. */
  static String headersOf(HttpServletRequest request) {
    var text = new StringBuilder(512);
    var names = request.getHeaderNames();
    while (names.hasMoreElements()) {
      String name = names.nextElement();
      var values = request.getHeaders(name);
      while (values.hasMoreElements()) {
        text.append(name).append(": ").append(values.nextElement()).append('\n');
      }
    }
    return text.toString();
  }
}
