package dev.highwater.ingest;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One connection to the public port, byte by byte: it tidies nothing up. */
final class Wire implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  Wire(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * @param headers with their names lower-cased, in order
   */
  record Response(int status, List<String[]> headers, byte[] body) {
    @Nullable String header(String name) {
      for (String[] header : headers) {
        if (header[0].equals(name)) {
          return header[1];
        }
      }
      return null;
    }

    String text() {
      return new String(body, StandardCharsets.ISO_8859_1);
    }
  }

  /** Sends the characters as ISO-8859-1. */
  Wire send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  Wire send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** Sends a request line and headers, and the empty line after them. */
  Wire head(String... lines) throws IOException {
    return send(String.join("\r\n", lines) + "\r\n\r\n");
  }

  /** Sends a request with a body and its length. */
  Wire post(String target, String headers, String body) throws IOException {
    return send(
        "POST "
            + target
            + " HTTP/1.1\r\nHost: h\r\n"
            + headers
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  Response post(String target, String body) throws IOException {
    return post(target, "", body).read();
  }

  /** Reads one response; its body by its Content-Length, or to the end where it has none. */
  Response read() throws IOException {
    return read(true);
  }

  /** Reads the response to a HEAD. */
  Response readHead() throws IOException {
    return read(false);
  }

  private Response read(boolean withBody) throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    List<String[]> headers = new ArrayList<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.add(
          new String[] {
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip()
          });
    }
    var head = new Response(status, headers, new byte[0]);
    if (!withBody || status < 200 || status == 204) {
      return head;
    }
    String length = head.header("content-length");
    byte[] body = length == null ? in.readAllBytes() : in.readNBytes(Integer.parseInt(length));
    return new Response(status, headers, body);
  }

  /** Whether the server has closed, or closes within the read time-out of this connection. */
  boolean isClosedByServer() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  /** Whether anything arrives within the given time. */
  boolean hearsWithin(int millis) throws IOException {
    int before = socket.getSoTimeout();
    socket.setSoTimeout(millis);
    in.mark(1);
    try {
      boolean heard = in.read() >= 0;
      in.reset();
      return heard;
    } catch (SocketTimeoutException e) {
      return false;
    } finally {
      socket.setSoTimeout(before);
    }
  }

  /** Whether the server closes within the given time; skips whatever else it sends. */
  boolean isClosedWithin(int millis) throws IOException {
    int before = socket.getSoTimeout();
    socket.setSoTimeout(millis);
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    } finally {
      if (!socket.isClosed()) {
        socket.setSoTimeout(before);
      }
    }
  }

  /** Sends to a server that may have closed meanwhile. */
  void trySend(String text) throws IOException {
    try {
      send(text);
    } catch (SocketException e) {
      // The next read tells.
    }
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server closed in the middle of a response");
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Goes without a goodbye: the server sees a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
