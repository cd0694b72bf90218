package dev.highwater.ingest;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;

/**
 * Whether the service is about to stop. From then on each answer closes its connection, so that a
 * client finds out by a connection that is refused and not by a request that nobody reads: when the
 * server stops it closes the connections it has kept, and does not look whether a request is on its
 * way.
 */
final class Farewell implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {
  private volatile boolean begun;

  /** Any thread. */
  boolean hasBegun() {
    return begun;
  }

  @Override
  public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
    begun = event.getState() == ReadinessState.REFUSING_TRAFFIC;
  }
}
