package dev.highwater.ingest;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the listener while the server still reads. The server's own way to stop, which follows, is
 * to stop reading and then to close all connections: a request on one that it has accepted and not
 * read from would meet the end of the stream, and nobody could tell whether it was stored.
 *
 * <p>Since {@link Farewell} has begun, a connection ends with its next answer. So what is left
 * after a short while are connections on which nobody asks anything, and requests that are being
 * read or answered, for which the server waits by itself.
 */
final class LastConnections implements SmartLifecycle {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private final PublicPort port;
  private volatile boolean running;

  LastConnections(PublicPort port) {
    this.port = port;
  }

  @Override
  public void start() {
    running = true;
  }

  /** Blocks for a second at most. */
  @Override
  public void stop() {
    running = false;
    port.closeListener();
    long start = System.nanoTime();
    while (port.connections() > 0
        && System.nanoTime() - start < PATIENCE.toNanos()
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** A listener that was closed is not opened again. */
  @Override
  public boolean isPauseable() {
    return false;
  }

  /** After the grace of the whole service, and before the web server starts to drain. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 512;
  }
}
