package dev.highwater.ingest;

import java.io.IOException;
import java.time.Duration;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * HTTP/1.1 with a limit on how long the headers of one request may take. The server itself limits
 * only the wait for each next byte, so that a client that sends one now and then would hold its
 * connection for hours.
 *
 * <p>Public because the server makes it by its name; not for use elsewhere.
 */
public final class PublicPortProtocol extends Http11NioProtocol {
  private volatile long headerTimeoutNanos = Long.MAX_VALUE;

  void setHeaderTimeout(Duration timeout) {
    headerTimeoutNanos = timeout.toNanos();
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
}
