package dev.highwater;

import dev.highwater.dispatch.Dispatcher;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * What happens first when the service is told to stop: readiness turns to out of service while
 * hooks are still taken, so that load balancers send no more; after the grace dispatch claims
 * nothing new and its running attempts get their time. Then the web server, the write path and the
 * store stop, in that order.
 */
final class Drain implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(Drain.class);

  private final ApplicationContext context;
  private final Dispatcher dispatcher;
  private final Duration grace;
  private final Duration attempts;
  private volatile boolean running;

  Drain(ApplicationContext context, Dispatcher dispatcher, Duration grace, Duration attempts) {
    this.context = context;
    this.dispatcher = dispatcher;
    this.grace = grace;
    this.attempts = attempts;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
    log.info("Stopping: out of service; hooks are still taken for {} s.", grace.toSeconds());
    try {
      // Nobody counts it down: this is a wait that an interrupt can end.
      if (new CountDownLatch(1).await(grace.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException("nobody counts this latch down");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    dispatcher.stop(attempts);
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

  /** The highest: starts last, stops first. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE;
  }
}
