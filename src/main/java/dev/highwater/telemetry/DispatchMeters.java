package dev.highwater.telemetry;

import dev.highwater.dispatch.AttemptObserver;
import dev.highwater.dispatch.Dispatcher;
import dev.highwater.dispatch.SinkStats;
import dev.highwater.hook.SourceRef;
import dev.highwater.queue.QueueInspector;
import dev.highwater.sink.Outcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of delivery, per sink: sinks come from the configuration, so the series are bounded
 * (G11).
 */
final class DispatchMeters implements AttemptObserver {
  private record Series(SourceRef source, String sink, String result) {}

  private final MeterRegistry registry;
  private final ConcurrentMap<Series, Timer> attempts = new ConcurrentHashMap<>();

  DispatchMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void attemptEnded(SourceRef source, String sink, Outcome outcome, long nanos) {
    String result =
        switch (outcome) {
          case Outcome.Delivered delivered -> "delivered";
          case Outcome.Transient failed -> "transient";
          case Outcome.Permanent failed -> "permanent";
        };
    attempts
        .computeIfAbsent(new Series(source, sink, result), this::timer)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(Series series) {
    return Timer.builder("highwater.dispatch.attempts")
        .description("Attempts by sink and result")
        .tags(tags(series.source(), series.sink()).and("result", series.result()))
        .publishPercentileHistogram()
        .minimumExpectedValue(Duration.ofMillis(1))
        .maximumExpectedValue(Duration.ofSeconds(60))
        .register(registry);
  }

  private static Tags tags(SourceRef source, String sink) {
    return Tags.of("tenant", source.tenant(), "source", source.name(), "sink", sink);
  }

  /** Binds the gauges of every sink; once, when the dispatcher has started. */
  static void bind(MeterRegistry registry, Dispatcher dispatcher, QueueInspector queue) {
    for (SinkStats sink : dispatcher.stats().sinks()) {
      Tags tags = tags(sink.source(), sink.sink());
      Gauge.builder("highwater.dispatch.backlog", sink, SinkStats::pending)
          .description("Deliveries that are neither delivered nor dead")
          .tags(tags)
          .register(registry);
      Gauge.builder("highwater.dispatch.backlog.size", sink, SinkStats::pendingBytes)
          .description("The bodies of those deliveries")
          .baseUnit("bytes")
          .tags(tags)
          .register(registry);
      Gauge.builder("highwater.dispatch.inflight", sink, SinkStats::inFlight)
          .description("Attempts that run right now")
          .tags(tags)
          .register(registry);
      Gauge.builder("highwater.dispatch.oldest.due", sink, s -> late(s, queue))
          .description("For how many seconds the oldest delivery has been due")
          .baseUnit("seconds")
          .tags(tags)
          .register(registry);
      FunctionCounter.builder("highwater.dispatch.dead", sink, SinkStats::dead)
          .description("Deliveries that were given up")
          .tags(tags)
          .register(registry);
    }
  }

  private static double late(SinkStats sink, QueueInspector queue) {
    OptionalLong oldest = sink.oldestDue();
    return oldest.isEmpty() ? 0 : Math.max(0, queue.stamp() - oldest.getAsLong()) / 1000.0;
  }
}
