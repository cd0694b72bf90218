package benchmark.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One keep-alive connection with at most one request under way. Used by one thread. */
final class Connection {
  private static final int LONGEST_ANSWER = 16 * 1024;

  private final InetSocketAddress address;
  private final Selector selector;
  private final ByteBuffer out;
  private final ByteBuffer in = ByteBuffer.allocateDirect(LONGEST_ANSWER);
  private SocketChannel channel;
  private SelectionKey key;

  /** Since when the request under way counts; the time it was meant to leave. */
  long since;

  boolean waiting;

  private boolean closing;

  Connection(InetSocketAddress address, Selector selector, int longestRequest) throws IOException {
    this.address = address;
    this.selector = selector;
    this.out = ByteBuffer.allocateDirect(longestRequest);
    connect();
  }

  private void connect() throws IOException {
    channel = SocketChannel.open(address);
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    key = channel.register(selector, SelectionKey.OP_READ, this);
    in.clear();
    closing = false;
  }

  /** Closes it and opens another one in its place. */
  void reconnect() throws IOException {
    close();
    waiting = false;
    connect();
  }

  void close() throws IOException {
    key.cancel();
    channel.close();
  }

  void send(Requests requests, long intended) throws IOException {
    requests.next(out);
    since = intended;
    waiting = true;
    flush();
  }

  void flush() throws IOException {
    channel.write(out);
    int wanted =
        out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    if (key.interestOps() != wanted) {
      key.interestOps(wanted);
    }
  }

  /**
   * Reads what is there.
   *
   * @return the status of the answer, 0 while it is not complete, -1 if the connection has ended
   */
  int read() throws IOException {
    if (channel.read(in) < 0) {
      return -1;
    }
    int end = endOfHeaders();
    if (end < 0) {
      if (!in.hasRemaining()) {
        throw new IOException("an answer has more headers than this generator reads");
      }
      return 0;
    }
    int total = end + contentLength(end);
    if (total > in.capacity()) {
      throw new IOException("an answer is longer than this generator reads");
    }
    if (in.position() < total) {
      return 0;
    }
    int status = digit(9) * 100 + digit(10) * 10 + digit(11);
    in.clear();
    return status;
  }

  /** Whether the answer that was read last announced the end of the connection. */
  boolean isClosing() {
    // A request that is answered before it was sent whole cannot be followed by another one.
    return closing || out.hasRemaining();
  }

  private int digit(int at) {
    return in.get(at) - '0';
  }

  private int endOfHeaders() {
    for (int i = 3; i < in.position(); i++) {
      if (in.get(i) == '\n' && in.get(i - 2) == '\n') {
        return i + 1;
      }
    }
    return -1;
  }

  private int contentLength(int end) throws IOException {
    int length = -1;
    for (int i = 0; i < end - 2; i++) {
      if (in.get(i) != '\n') {
        continue;
      }
      if (starts("content-length:", i + 1)) {
        length = 0;
        for (int at = i + 16; in.get(at) != '\r'; at++) {
          if (in.get(at) != ' ') {
            length = length * 10 + digit(at);
          }
        }
      } else if (starts("connection: close", i + 1)) {
        closing = true;
      }
    }
    if (length < 0) {
      throw new IOException("an answer does not say how long it is");
    }
    return length;
  }

  private boolean starts(String name, int at) {
    if (at + name.length() > in.position()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if ((in.get(at + i) | 0x20) != (name.charAt(i) | 0x20)) {
        return false;
      }
    }
    return true;
  }
}
