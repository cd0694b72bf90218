package dev.highwater.sink.http;

import java.io.IOException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a connection before it is used again, and bounds what comes before an answer.
 *
 * <p>A server may close a connection it kept at any time, some with a last {@code 408} nobody asked
 * for. That is no failure of the hook whose turn it is: as long as nothing of it was sent, another
 * connection is as good. It also means that bytes left over from one answer are never taken for the
 * next one.
 */
final class CarefulExecutor extends HttpRequestExecutor {
  /** The shortest the client can wait; it is what a look costs. */
  private static final Timeout LOOK = Timeout.ofMilliseconds(1);

  private static final int MOST_INTERIM_ANSWERS = 16;

  /** The peer has closed a kept connection, or has sent what nobody asked for. Nothing was sent. */
  static final class StaleConnectionException extends IOException {
    private StaleConnectionException() {
      super("the kept connection is of no use any more");
    }
  }

  /** Every other {@code execute} ends up here. */
  @Override
  public ClassicHttpResponse execute(
      ClassicHttpRequest request,
      HttpClientConnection connection,
      @Nullable HttpResponseInformationCallback interim,
      HttpContext context)
      throws IOException, HttpException {
    if (connection.getEndpointDetails().getRequestCount() > 0 && isStale(connection)) {
      throw new StaleConnectionException();
    }
    return super.execute(request, connection, bounded(interim), context);
  }

  private static boolean isStale(HttpClientConnection connection) {
    try {
      return connection.isStale() || connection.isDataAvailable(LOOK);
    } catch (IOException e) {
      return true;
    }
  }

  private static HttpResponseInformationCallback bounded(
      @Nullable HttpResponseInformationCallback interim) {
    int[] seen = {0};
    return (response, connection, context) -> {
      if (++seen[0] > MOST_INTERIM_ANSWERS) {
        throw new ProtocolException("too many interim answers");
      }
      if (interim != null) {
        interim.execute(response, connection, context);
      }
    };
  }
}
