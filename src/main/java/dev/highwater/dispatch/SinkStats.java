package dev.highwater.dispatch;

import dev.highwater.hook.SourceRef;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How one sink is doing, live. Any thread may read at any time, for the price of a volatile read.
 * The counts of attempts and deliveries begin at the start of the process.
 */
public final class SinkStats {
  private static final long NONE = Long.MAX_VALUE;

  private final SourceRef source;
  private final String sink;
  private final AtomicLong pending = new AtomicLong();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong dead = new AtomicLong();
  private volatile int inFlight;
  private volatile long oldestDue = NONE;

  SinkStats(SourceRef source, String sink) {
    this.source = source;
    this.sink = sink;
  }

  public SourceRef source() {
    return source;
  }

  /** The name of the sink within its source. */
  public String sink() {
    return sink;
  }

  /** Durable deliveries that are neither delivered nor dead, those in flight included. */
  public long pending() {
    return Math.max(0, pending.get());
  }

  /** The lengths of the bodies of what is {@link #pending}, together. */
  public long pendingBytes() {
    return Math.max(0, pendingBytes.get());
  }

  /** Attempts that run right now. */
  public int inFlight() {
    return inFlight;
  }

  /** Deliveries the sink has confirmed. */
  public long delivered() {
    return delivered.get();
  }

  /** Attempts that failed and are tried again. */
  public long failed() {
    return failed.get();
  }

  /** Deliveries that were given up. */
  public long dead() {
    return dead.get();
  }

  /**
   * The stamp from which the oldest pending delivery has been due, or will be; compare it with the
   * writer's clock. Empty where nothing is pending.
   */
  public OptionalLong oldestDue() {
    long oldest = oldestDue;
    return oldest == NONE ? OptionalLong.empty() : OptionalLong.of(oldest);
  }

  void addPending(long rows, long bytes) {
    pending.addAndGet(rows);
    pendingBytes.addAndGet(bytes);
  }

  private void settled(long bytes) {
    pending.decrementAndGet();
    pendingBytes.addAndGet(-bytes);
  }

  void running(int attempts) {
    inFlight = attempts;
  }

  /** {@link Long#MAX_VALUE} for none. */
  void oldestDue(long stamp) {
    oldestDue = stamp;
  }

  void countDelivered(long bytes) {
    delivered.incrementAndGet();
    settled(bytes);
  }

  void countFailed() {
    failed.incrementAndGet();
  }

  void countDead(long bytes) {
    dead.incrementAndGet();
    settled(bytes);
  }

  /** The delivery was taken away by someone else. */
  void countGone(long bytes) {
    settled(bytes);
  }

  @Override
  public String toString() {
    return source + "/" + sink + ": " + pending() + " pending, " + inFlight + " in flight";
  }
}
