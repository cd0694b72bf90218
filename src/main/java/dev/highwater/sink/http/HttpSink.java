package dev.highwater.sink.http;

import dev.highwater.sink.Attempt;
import dev.highwater.sink.Outcome;
import dev.highwater.sink.Sink;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * POSTs hooks to one URL.
 *
 * <p>The time-outs of a socket say how long one read may take, and a peer that sends a byte now and
 * then satisfies them for ever. So each exchange runs on a virtual thread of its own, and the
 * caller waits for it until the deadline and no longer. What is left then is interrupted: that ends
 * any wait, closes the socket, and the thread cleans up behind itself.
 */
final class HttpSink implements Sink {
  /** An answer is read to its end so that the connection can be used again, but no further. */
  static final int MOST_READ = 64 * 1024;

  private final String threadName;
  private final HttpSinkSettings settings;
  private final RequestWriter writer;
  private final Connections connections;
  private final Answers answers;

  HttpSink(
      String label,
      HttpSinkSettings settings,
      RequestWriter writer,
      Connections connections,
      InstantSource clock) {
    this.threadName = "highwater-http-" + label;
    this.settings = settings;
    this.writer = writer;
    this.connections = connections;
    this.answers = new Answers(settings, clock);
  }

  @Override
  public Outcome deliver(Attempt attempt) throws InterruptedException {
    HttpPost request = writer.write(attempt);
    var exchange = new FutureTask<>(() -> exchange(request));
    Thread.ofVirtual().name(threadName).start(exchange);
    try {
      return exchange.get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return answers.timedOut();
    } catch (ExecutionException e) {
      throw unexpected(e.getCause());
    } finally {
      exchange.cancel(true);
    }
  }

  @Override
  public void close() {
    connections.close();
  }

  private Outcome exchange(HttpPost request) throws InterruptedException {
    try {
      return connections.exchange(request, this::read);
    } catch (IOException e) {
      return answers.of(e);
    }
  }

  private Outcome read(ClassicHttpResponse response) throws IOException {
    Outcome byStatus = answers.of(response);
    return byStatus instanceof Outcome.Delivered
        ? readToEnd(response, byStatus)
        : readIfEasy(response, byStatus);
  }

  /**
   * A 2xx counts once its answer is whole: one that trickles, breaks off or has no end is no
   * confirmation. Where the head says how long it is, and that is too long to read, the status
   * stands.
   */
  private Outcome readToEnd(ClassicHttpResponse response, Outcome byStatus) throws IOException {
    HttpEntity entity = response.getEntity();
    if (entity == null || entity.getContentLength() > MOST_READ || skip(entity)) {
      return byStatus;
    }
    return answers.endless();
  }

  /** The status stands; the rest is read for the connection's sake. */
  private static Outcome readIfEasy(ClassicHttpResponse response, Outcome byStatus) {
    HttpEntity entity = response.getEntity();
    try {
      if (entity != null && entity.getContentLength() <= MOST_READ) {
        skip(entity);
      }
      return byStatus;
    } catch (IOException e) {
      return byStatus;
    }
  }

  /**
   * Reads and forgets at most {@link #MOST_READ} bytes. Leaves the stream open: closing it would
   * read on to the end.
   *
   * @return whether the answer ended
   */
  private static boolean skip(HttpEntity entity) throws IOException {
    InputStream content = entity.getContent();
    byte[] buffer = new byte[4096];
    for (int total = 0; total <= MOST_READ; ) {
      int read = content.read(buffer, 0, Math.min(buffer.length, MOST_READ + 1 - total));
      if (read < 0) {
        return true;
      }
      total += read;
    }
    return false;
  }

  private static RuntimeException unexpected(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException runtime
        ? runtime
        : new IllegalStateException("the exchange failed", cause);
  }
}
