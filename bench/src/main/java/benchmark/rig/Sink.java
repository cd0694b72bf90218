package benchmark.rig;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** A sink on this machine: one that never answers, or one that does at once. */
final class Sink implements AutoCloseable {
  private static final byte[] OK =
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket socket;
  private final LongAdder received = new LongAdder();

  private Sink(ServerSocket socket) {
    this.socket = socket;
  }

  /** Takes connections, as the kernel does for it, and says nothing. */
  static Sink hanging() throws IOException {
    return new Sink(new ServerSocket(0, 64, InetAddress.getLoopbackAddress()));
  }

  static Sink fast() throws IOException {
    var sink = hanging();
    Thread.ofVirtual().start(sink::serve);
    return sink;
  }

  int port() {
    return socket.getLocalPort();
  }

  long received() {
    return received.sum();
  }

  private void serve() {
    while (true) {
      try {
        Socket connection = socket.accept();
        connection.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> talk(connection));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void talk(Socket connection) {
    try (connection) {
      var in = new BufferedInputStream(connection.getInputStream(), 16 * 1024);
      var out = connection.getOutputStream();
      for (long length = headers(in); length >= 0; length = headers(in)) {
        in.skipNBytes(length);
        received.increment();
        out.write(OK);
      }
    } catch (IOException e) {
      // The other side has gone.
    }
  }

  /** Reads a head; the length of the body, or -1 at the end of the connection. */
  private static long headers(InputStream in) throws IOException {
    long length = 0;
    var line = new StringBuilder();
    boolean any = false;
    while (true) {
      int c = in.read();
      if (c < 0) {
        return -1;
      }
      if (c == '\n') {
        if (line.isEmpty() && any) {
          return length;
        }
        any = true;
        if (line.length() > 15
            && line.substring(0, 15).toLowerCase(Locale.ROOT).equals("content-length:")) {
          length = Long.parseLong(line.substring(15).strip());
        }
        line.setLength(0);
      } else if (c != '\r') {
        line.append((char) c);
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
