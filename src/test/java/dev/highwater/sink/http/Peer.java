package dev.highwater.sink.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A server on a bare socket: it reads requests as they stand on the wire, and answers with whatever
 * bytes its script writes, so that it can be as wrong as a peer can be.
 */
class Peer implements AutoCloseable {
  /** Answers one request. When it returns, the next request of the connection is read. */
  interface Script {
    void answer(Request request, Wire wire) throws Exception;
  }

  /**
   * @param line without its line end
   * @param headers {@code name: value}, as they were sent
   * @param number 1 for the first of its connection
   */
  record Request(String line, List<String> headers, byte[] body, int number) {
    /** The one value of a header. */
    String header(String name) {
      List<String> values = headers(name);
      if (values.size() != 1) {
        throw new AssertionError(name + " is there " + values.size() + " times: " + headers);
      }
      return values.getFirst();
    }

    List<String> headers(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return headers.stream()
          .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(start))
          .map(header -> header.substring(start.length()).strip())
          .toList();
    }
  }

  /** The connection under a script. */
  record Wire(Socket socket, OutputStream out) {
    void write(String text) throws IOException {
      out.write(text.getBytes(ISO_8859_1));
      out.flush();
    }

    /** An answer as servers give it; the connection is kept. */
    void status(int status, String... headers) throws IOException {
      var head = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\nContent-Length: 2\r\n");
      for (String header : headers) {
        head.append(header).append("\r\n");
      }
      write(head + "\r\nok");
    }

    /** Reads until the other side leaves. */
    void awaitTheEnd() throws IOException {
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) {
        // It has nothing more to say that anybody would hear.
      }
    }

    void close() throws IOException {
      socket.close();
    }

    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  private final Script script;
  private final ServerSocketFactory sockets;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private volatile @Nullable ServerSocket server;
  private int port;

  Peer(Script script) {
    this(script, ServerSocketFactory.getDefault());
  }

  Peer(Script script, ServerSocketFactory sockets) {
    this.script = script;
    this.sockets = sockets;
    start();
  }

  int port() {
    return port;
  }

  String url() {
    return "http://127.0.0.1:" + port + "/hooks";
  }

  /** All that were read whole, in that order. */
  List<Request> requests() {
    return requests;
  }

  /** Connections that are open now. */
  int connections() {
    return open.size();
  }

  /** The most connections that were open at once. */
  int most() {
    return most.get();
  }

  /** Connections there ever were. */
  int accepted() {
    return accepted.get();
  }

  void start() {
    try {
      ServerSocket socket = sockets.createServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
      port = socket.getLocalPort();
      server = socket;
      Thread.ofVirtual().name("peer").start(() -> accept(socket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Breaks every connection. */
  void stop() {
    try {
      ServerSocket listening = server;
      if (listening != null) {
        listening.close();
      }
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop();
  }

  private void accept(ServerSocket listening) {
    try {
      while (true) {
        Socket socket = listening.accept();
        accepted.incrementAndGet();
        open.add(socket);
        most.accumulateAndGet(open.size(), Math::max);
        Thread.ofVirtual().name("peer-connection").start(() -> run(socket));
      }
    } catch (IOException e) {
      // Closed: that is how a server ends.
    }
  }

  private void run(Socket socket) {
    try (socket) {
      serve(socket);
    } catch (Exception e) {
      // The other side broke off, or the script closed the socket; the test looks at what came.
    } finally {
      open.remove(socket);
    }
  }

  /** Reads and answers until the connection ends; another server may do something else. */
  void serve(Socket socket) throws Exception {
    InputStream in = new BufferedInputStream(socket.getInputStream());
    var wire = new Wire(socket, socket.getOutputStream());
    int number = 1;
    for (Request request = read(in, number); request != null; request = read(in, number)) {
      requests.add(request);
      script.answer(request, wire);
      number++;
    }
  }

  private static @Nullable Request read(InputStream in, int number) throws IOException {
    String line = line(in);
    if (line == null) {
      return null;
    }
    List<String> headers = new ArrayList<>();
    for (String header = line(in); header != null && !header.isEmpty(); header = line(in)) {
      headers.add(header);
    }
    var head = new Request(line, List.copyOf(headers), new byte[0], number);
    byte[] body = in.readNBytes(Integer.parseInt(head.header("content-length")));
    return new Request(line, head.headers(), body, number);
  }

  private static @Nullable String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (c == '\n') {
        if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
          throw new IOException("a bare line feed");
        }
        return line.substring(0, line.length() - 1);
      }
      line.append((char) c);
    }
    if (!line.isEmpty()) {
      throw new EOFException();
    }
    return null;
  }
}
