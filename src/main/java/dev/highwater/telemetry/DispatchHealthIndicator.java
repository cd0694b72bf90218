package dev.highwater.telemetry;

import dev.highwater.dispatch.Dispatcher;
import dev.highwater.dispatch.SinkStats;
import dev.highwater.queue.QueueInspector;
import java.util.OptionalLong;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The component {@code dispatch}: how much waits. Never takes the node out: hooks are safe while a
 * sink is down.
 */
final class DispatchHealthIndicator implements HealthIndicator {
  private final Dispatcher dispatcher;
  private final QueueInspector queue;

  DispatchHealthIndicator(Dispatcher dispatcher, QueueInspector queue) {
    this.dispatcher = dispatcher;
    this.queue = queue;
  }

  @Override
  public Health health() {
    OptionalLong oldest =
        dispatcher.stats().sinks().stream()
            .map(SinkStats::oldestDue)
            .flatMapToLong(OptionalLong::stream)
            .min();
    long late = oldest.isEmpty() ? 0 : Math.max(0, queue.stamp() - oldest.getAsLong());
    return Health.up()
        .withDetail("backlog", dispatcher.stats().pending())
        .withDetail("inFlight", dispatcher.stats().inFlight())
        .withDetail("oldestDueSeconds", late / 1000)
        .build();
  }
}
