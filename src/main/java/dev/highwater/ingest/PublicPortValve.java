package dev.highwater.ingest;

import dev.highwater.hook.ErrorCode;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * Stands around every request of the public port: before it, leaves what {@link RawRequest} needs
 * says goodbye where the service is about to stop, and refuses what has two ends; after it, deals
 * with a body that was refused unread.
 *
 * <p>A connection that is closed with unread bytes on it is reset, and the reset can overtake the
 * answer. So the answer is sent first, and then what the client has already sent is read and thrown
 * away, within a bound in bytes and in time. If that reaches the end of the body, the next request
 * on the connection is served; if not, the connection is closed.
 */
final class PublicPortValve extends ValveBase {
  /** Two full socket buffers of a usual client. */
  private static final int MOST_BYTES = 256 * 1024;

  private static final long MOST_NANOS = 2_000_000_000L;

  private final Farewell farewell;

  PublicPortValve(Farewell farewell) {
    super(true);
    this.farewell = farewell;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    RawRequest.remember(request);
    if (farewell.hasBegun()) {
      response.setHeader("Connection", "close");
    }
    org.apache.coyote.Request raw = request.getCoyoteRequest();
    if (Framing.isAmbiguous(raw)) {
      response.setHeader("Connection", "close");
      Problem.of(ErrorCode.BAD_REQUEST).writeTo(response);
    } else {
      getNext().invoke(request, response);
    }
    if (!request.isAsync() && hasUnread(raw)) {
      response.finishResponse();
      // A client that still waits for its 100 has sent nothing and will not.
      if (!raw.hasExpectation()) {
        skip(raw);
      }
    }
  }

  private static boolean hasUnread(org.apache.coyote.Request raw) {
    AtomicBoolean read = new AtomicBoolean();
    raw.action(ActionCode.REQUEST_BODY_FULLY_READ, read);
    return !read.get();
  }

  private static void skip(org.apache.coyote.Request raw) {
    long start = System.nanoTime();
    long skipped = 0;
    var sink = new Discarded();
    try {
      while (skipped <= MOST_BYTES && System.nanoTime() - start < MOST_NANOS) {
        int read = raw.doRead(sink);
        if (read < 0) {
          return;
        }
        skipped += read;
        if (!hasUnread(raw)) {
          return;
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      // It has gone, or sends too slowly, or its headers had no end, of which the server says that
      // they are too large once more. It has its answer; the connection is closed below.
    }
    raw.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
  }

  /** The server shows its own buffer here; nothing is copied. */
  private static final class Discarded implements ApplicationBufferHandler {
    private @Nullable ByteBuffer buffer;

    @Override
    public void setByteBuffer(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public @Nullable ByteBuffer getByteBuffer() {
      return buffer;
    }

    @Override
    public void expand(int size) {}
  }
}
