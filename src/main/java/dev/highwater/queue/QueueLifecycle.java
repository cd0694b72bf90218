package dev.highwater.queue;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the write path before anything can bring a hook, and stops it after everything that could:
 * writer first, so that what is waiting is committed; then the syncer, so that it is answered; then
 * the mark is written. The store closes after that.
 */
final class QueueLifecycle implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(QueueLifecycle.class);

  /** Below the web server, which is at DEFAULT_PHASE - 2048: starts before it, stops after it. */
  static final int PHASE = DEFAULT_PHASE - 4096;

  private static final long STOP_SECONDS = 60;

  private final WriterService writer;
  private final SyncerService syncer;
  private final DurableMarkKeeper keeper;
  private final List<DurableListener> listeners;
  private final Executor writerThread;
  private final Executor syncerThread;
  private volatile boolean running;

  QueueLifecycle(
      WriterService writer,
      SyncerService syncer,
      DurableMarkKeeper keeper,
      List<DurableListener> listeners,
      Executor writerThread,
      Executor syncerThread) {
    this.writer = writer;
    this.syncer = syncer;
    this.keeper = keeper;
    this.listeners = listeners;
    this.writerThread = writerThread;
    this.syncerThread = syncerThread;
  }

  @Override
  public void start() {
    listeners.forEach(syncer::addListener);
    syncer.start(syncerThread);
    writer.start(writerThread);
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    try {
      boolean written = writer.stop(STOP_SECONDS, TimeUnit.SECONDS);
      // Also when the writer hangs: what it has handed over may still be answered.
      boolean answered = syncer.stop(written ? STOP_SECONDS : 1, TimeUnit.SECONDS);
      if (!written || !answered) {
        log.warn("The disk has not answered for {} s; stopping without it.", STOP_SECONDS);
      }
      keeper.refresh();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
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
