package dev.highwater.sink;

/**
 * One destination. Several threads may call {@link #deliver} at once, each a virtual thread.
 *
 * <p>A sink opens nothing before its first attempt, so that one that is down at the start holds up
 * nobody (G10).
 */
public interface Sink extends AutoCloseable {
  /**
   * Tries once. Returns within the sink's own time-out, whatever the other side does. {@link
   * Outcome.Delivered} means that the other side has confirmed. What it throws counts as a
   * transient failure.
   *
   * @throws InterruptedException when the service stops and will not wait any longer
   */
  Outcome deliver(Attempt attempt) throws InterruptedException;

  /** Frees connections and threads. No attempt is running. */
  @Override
  void close();
}
