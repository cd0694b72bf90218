package dev.highwater;

import dev.highwater.dispatch.Dispatcher;
import dev.highwater.store.StoreException;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Starts delivering after the write path and before the first hook can come in, so that its count
 * of what waits is exact. {@link Drain} stops it, before the web server drains.
 */
final class DispatchLifecycle implements SmartLifecycle {
  /** Between the write path and the web server. */
  static final int PHASE = DEFAULT_PHASE - 3072;

  private final Dispatcher dispatcher;
  private final Duration patience;

  DispatchLifecycle(Dispatcher dispatcher, Duration patience) {
    this.dispatcher = dispatcher;
    this.patience = patience;
  }

  @Override
  public void start() {
    try {
      dispatcher.start();
    } catch (StoreException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  @Override
  public void stop() {
    dispatcher.stop(patience);
  }

  @Override
  public boolean isRunning() {
    return dispatcher.isRunning();
  }

  /** It is not made to start again. */
  @Override
  public boolean isPauseable() {
    return false;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
