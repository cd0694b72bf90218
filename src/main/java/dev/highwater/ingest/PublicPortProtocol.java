package dev.highwater.ingest;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 with a limit on how long the headers of one request may take. The server itself limits
 * only the wait for each next byte, so that a client that sends one now and then would hold its
 * connection for hours.
 *
 * <p>Public because the server makes it by its name; not for use elsewhere.
 */
public final class PublicPortProtocol extends Http11NioProtocol {
  private final Listener listener;
  private volatile long headerTimeoutNanos = Long.MAX_VALUE;

  /** Called by the server. */
  public PublicPortProtocol() {
    this(new Listener());
  }

  private PublicPortProtocol(Listener listener) {
    super(listener);
    this.listener = listener;
  }

  void setHeaderTimeout(Duration timeout) {
    headerTimeoutNanos = timeout.toNanos();
  }

  /** How many connections are open, whoever's turn it is. */
  int connections() {
    return listener.getConnections().size();
  }

  /** Any thread. */
  @Override
  public void closeServerSocketGraceful() {
    listener.closing = true;
    super.closeServerSocketGraceful();
  }

  @Override
  protected Processor createProcessor() {
    return new TimedProcessor(getAdapter());
  }

  private final class TimedProcessor extends Http11Processor {
    TimedProcessor(Adapter adapter) {
      super(PublicPortProtocol.this, adapter);
    }

    /**
     * Called whenever bytes have arrived. A request whose start is known by then is in the middle
     * of its headers, since a body is read within one call.
     */
    @Override
    public SocketState service(SocketWrapperBase<?> socket) throws IOException {
      long start = request.getStartTimeNanos();
      if (start != -1 && System.nanoTime() - start > headerTimeoutNanos) {
        return SocketState.CLOSED;
      }
      return super.service(socket);
    }
  }

  /**
   * A listener that closes without dropping anybody. The server's own wakes its acceptor by a
   * connection to itself, destroys what is accepted meanwhile and leaves the rest to the reset that
   * closing the socket sends: clients would meet the end of the stream under a request that they
   * have sent. Here the socket is closed under the acceptor, which serves all it gets until then.
   */
  private static final class Listener extends NioEndpoint {
    private volatile boolean closing;

    /** The acceptor's thread only: what it is about to serve while closing. */
    private @Nullable SocketChannel serving;

    /** Called in the middle of closing, when the acceptor knows that it is to stop. */
    @Override
    protected void unlockAccept() {
      if (!closing) {
        super.unlockAccept();
        return;
      }
      try {
        doCloseServerSocket();
      } catch (IOException e) {
        getLog().warn("the listener of the public port cannot be closed", e);
      }
    }

    /** Called on the acceptor's thread, as is the next one; without a connection at the end. */
    @Override
    protected SocketChannel serverSocketAccept() throws Exception {
      try {
        return super.serverSocketAccept();
      } catch (Exception e) {
        if (!closing) {
          throw e;
        }
        return SocketChannel.open();
      }
    }

    @Override
    protected void destroySocket(SocketChannel socket) {
      // The second is one that could not be served.
      if (!closing || socket.equals(serving)) {
        super.destroySocket(socket);
        return;
      }
      try {
        SocketChannel next = socket;
        while (next.isConnected()) {
          serving = next;
          if (!setSocketOptions(next)) {
            closeSocket(next);
          }
          next = serverSocketAccept();
        }
        next.close();
      } catch (Exception e) {
        getLog().warn("the last connections of the public port cannot be served", e);
      }
    }
  }
}
