package dev.highwater.sink.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.ConnectionKeepAliveStrategy;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultConnectionKeepAliveStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * The connections of one sink, and a client that does nothing by itself: no redirects, retries,
 * cookies, authentication, proxies, compression or upgrades. One request is one request on the
 * wire.
 *
 * <p>Opens nothing before the first request. While there are connections, a virtual thread closes
 * those that nobody uses; with the last of them it ends.
 */
final class Connections implements AutoCloseable {
  /** A name that moved is noticed after this long, even by a sink that is never idle. */
  private static final TimeValue OLDEST = TimeValue.ofMinutes(5);

  /** Bounds for a peer whose head never ends; a line is longer only where it means harm. */
  private static final Http1Config BOUNDS =
      Http1Config.custom().setMaxLineLength(16 * 1024).setMaxHeaderCount(128).build();

  private final String label;
  private final Duration idle;
  private final HttpHost target;
  private final int most;
  private final PoolingHttpClientConnectionManager pool;
  private final CloseableHttpClient client;
  private final Semaphore free;
  private final AtomicBoolean tidying = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param label for the names of threads
   * @param idle how long a connection waits for its next request
   */
  Connections(
      String label,
      HttpSinkSettings settings,
      CheckedDns dns,
      TlsSocketStrategy tls,
      Duration idle) {
    this.label = label;
    this.idle = idle;
    this.target = HttpHost.create(settings.target());
    this.most = settings.maxConnections();
    this.free = new Semaphore(most, true);
    Timeout whole = Timeout.of(settings.timeout());
    this.pool =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setConnectionFactory(
                ManagedHttpClientConnectionFactory.builder().http1Config(BOUNDS).build())
            .setDnsResolver(dns)
            .setTlsSocketStrategy(tls)
            .setMaxConnTotal(most)
            .setMaxConnPerRoute(most)
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(Timeout.of(settings.connecting()))
                    .setSocketTimeout(whole)
                    .setTimeToLive(OLDEST)
                    // CarefulExecutor looks at every connection right before it is used again.
                    .setValidateAfterInactivity(TimeValue.NEG_ONE_MILLISECOND)
                    .build())
            .setDefaultSocketConfig(
                SocketConfig.custom().setSoTimeout(whole).setTcpNoDelay(true).build())
            .build();
    this.client =
        HttpClients.custom()
            .setConnectionManager(pool)
            .setRequestExecutor(new CarefulExecutor())
            .setKeepAliveStrategy(keepAlive(idle))
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setConnectionRequestTimeout(whole)
                    .setResponseTimeout(whole)
                    .setRedirectsEnabled(false)
                    .setAuthenticationEnabled(false)
                    .setContentCompressionEnabled(false)
                    .setProtocolUpgradeEnabled(false)
                    .setExpectContinueEnabled(false)
                    .build())
            .disableRedirectHandling()
            .disableAutomaticRetries()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .disableDefaultUserAgent()
            .disableConnectionState()
            .build();
  }

  /** Reads what is wanted of an answer; what it leaves unread costs the connection. */
  interface Reader<T> {
    T read(ClassicHttpResponse response) throws IOException;
  }

  /**
   * Sends the request and has its answer read. Ends soon after the thread is interrupted, which
   * must be a virtual one: only there an interrupt closes the socket under a blocked call.
   *
   * <p>Nobody else may cancel the request: the pool of the client loses an entry when that falls
   * between the steps of a lease or a connect, and the same happens when a wait for a lease ends
   * early. So the waiting is done here, and a lease is always granted at once.
   */
  <T> T exchange(HttpPost request, Reader<T> reader) throws IOException, InterruptedException {
    free.acquire();
    try {
      return reader.read(send(request));
    } finally {
      // Drops the connection unless the answer was read to its end.
      request.cancel();
      free.release();
      tidyLater();
    }
  }

  private ClassicHttpResponse send(HttpPost request) throws IOException {
    // At worst every kept connection is stale, and the one after them is fresh.
    for (int stale = 0; ; stale++) {
      try {
        return client.executeOpen(target, request, HttpClientContext.create());
      } catch (CarefulExecutor.StaleConnectionException e) {
        if (stale == most) {
          throw e;
        }
      }
    }
  }

  private void tidyLater() {
    if (closed.getCount() > 0 && tidying.compareAndSet(false, true)) {
      Thread.ofVirtual().name("highwater-idle-" + label).start(this::tidy);
    }
  }

  /** How many there are, in use or not. */
  private int open() {
    var stats = pool.getTotalStats();
    return stats.getAvailable() + stats.getLeased();
  }

  @Override
  public void close() {
    closed.countDown();
    pool.close(CloseMode.GRACEFUL);
  }

  private void tidy() {
    try {
      while (!closed.await(idle.toNanos() / 2, TimeUnit.NANOSECONDS)) {
        pool.closeExpired();
        pool.closeIdle(TimeValue.of(idle));
        if (open() == 0) {
          tidying.set(false);
          // Somebody may have come between the look and the mark.
          if (open() == 0 || !tidying.compareAndSet(false, true)) {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A second less than the peer announces, so that we close first. */
  private static ConnectionKeepAliveStrategy keepAlive(Duration idle) {
    return (response, context) -> {
      TimeValue announced =
          DefaultConnectionKeepAliveStrategy.INSTANCE.getKeepAliveDuration(response, context);
      long margin = announced.toMilliseconds() - 1000;
      return TimeValue.ofMilliseconds(Math.clamp(margin, 1, idle.toMillis()));
    };
  }
}
