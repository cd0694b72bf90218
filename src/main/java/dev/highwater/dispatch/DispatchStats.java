package dev.highwater.dispatch;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How delivery is doing, live. Any thread may read at any time.
 *
 * <p>The list of sinks is fixed once the dispatcher has started and empty before.
 */
public final class DispatchStats {
  private volatile List<SinkStats> sinks = List.of();
  private volatile long kept;
  private volatile int unwritten;

  DispatchStats() {}

  /** One per configured sink, ordered by tenant, source and the order of the configuration. */
  public List<SinkStats> sinks() {
    return sinks;
  }

  /** {@link SinkStats#pending()} of all sinks. */
  public long pending() {
    return sum(SinkStats::pending);
  }

  /** {@link SinkStats#inFlight()} of all sinks. */
  public long inFlight() {
    return sum(SinkStats::inFlight);
  }

  /** {@link SinkStats#delivered()} of all sinks. */
  public long delivered() {
    return sum(SinkStats::delivered);
  }

  /** {@link SinkStats#failed()} of all sinks. */
  public long failed() {
    return sum(SinkStats::failed);
  }

  /** {@link SinkStats#dead()} of all sinks. */
  public long dead() {
    return sum(SinkStats::dead);
  }

  /** Outcomes that wait for the store; more than a few only while it cannot be written. */
  public int unwritten() {
    return unwritten;
  }

  /** Deliveries to sinks that are no longer configured, as counted at the start. */
  public long kept() {
    return kept;
  }

  private long sum(ToLongFunction<SinkStats> value) {
    return sinks.stream().mapToLong(value).sum();
  }

  void sinks(List<SinkStats> all) {
    sinks = List.copyOf(all);
  }

  void kept(long deliveries) {
    kept = deliveries;
  }

  void unwritten(int outcomes) {
    unwritten = outcomes;
  }
}
