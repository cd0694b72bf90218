package dev.highwater.telemetry;

import dev.highwater.hook.ErrorCode;
import dev.highwater.queue.QueueInspector;
import dev.highwater.queue.QueueObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The meters of the write path, a stage each. Recorded once a group and not once a hook, so that
 * they cost the hot path nothing that can be measured.
 */
final class QueueMeters implements QueueObserver {
  private final DistributionSummary groupSize;
  private final DistributionSummary groupBytes;
  private final DistributionSummary entriesPerSync;
  private final Timer queued;
  private final Timer write;
  private final Timer sync;
  private final Timer waitForSync;
  private final Counter accepted;
  private final Counter duplicates;
  private final Map<ErrorCode, Counter> refused = new EnumMap<>(ErrorCode.class);

  QueueMeters(MeterRegistry registry) {
    groupSize =
        DistributionSummary.builder("highwater.queue.group.size")
            .description("Hooks that one write commits together")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64, 128, 256)
            .register(registry);
    groupBytes =
        DistributionSummary.builder("highwater.queue.group.bytes")
            .description("Bytes of one write")
            .baseUnit("bytes")
            .register(registry);
    entriesPerSync =
        DistributionSummary.builder("highwater.queue.sync.entries")
            .description("Groups that one fsync covers")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64, 128)
            .register(registry);
    queued =
        timer(
            registry,
            "highwater.queue.ack.queued",
            "From submit to the start of the group, its oldest hook");
    write =
        timer(registry, "highwater.queue.ack.write", "Looking up, encoding and writing a group");
    waitForSync =
        timer(registry, "highwater.queue.ack.sync", "From the end of the write to the answer");
    sync = timer(registry, "highwater.queue.sync", "One fsync of the write-ahead log");
    // Applied is not accepted: these two count when their callers are answered (G2).
    accepted =
        Counter.builder("highwater.queue.answered")
            .description("Calls answered after their fsync")
            .register(registry);
    duplicates =
        Counter.builder("highwater.queue.duplicates")
            .description("Calls that were duplicates")
            .register(registry);
    for (ErrorCode code : ErrorCode.values()) {
      if (code.status() == 503) {
        refused.put(
            code,
            Counter.builder("highwater.queue.refused")
                .description("Hooks the queue refused")
                .tag("code", code.code())
                .register(registry));
      }
    }
  }

  private static Timer timer(MeterRegistry registry, String name, String description) {
    return Timer.builder(name)
        .description(description)
        .publishPercentileHistogram()
        .minimumExpectedValue(Duration.ofNanos(100_000))
        .maximumExpectedValue(Duration.ofSeconds(30))
        .register(registry);
  }

  @Override
  public void applied(int hooks, int dups, int bytes, long queuedNanos, long writeNanos) {
    if (hooks > 0) {
      groupSize.record(hooks);
      groupBytes.record(bytes);
    }
    queued.record(queuedNanos, TimeUnit.NANOSECONDS);
    write.record(writeNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void synced(long nanos, int entries) {
    sync.record(nanos, TimeUnit.NANOSECONDS);
    entriesPerSync.record(entries);
  }

  @Override
  public void answered(int calls, int dups, long waitNanos) {
    accepted.increment(calls);
    if (dups > 0) {
      duplicates.increment(dups);
    }
    waitForSync.record(waitNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void refused(ErrorCode code) {
    Counter counter = refused.get(code);
    if (counter != null) {
      counter.increment();
    }
  }

  /** Gauges that are read when somebody asks. */
  static MeterBinder gauges(QueueInspector queue) {
    return registry -> {
      gauge(
          registry,
          "highwater.queue.applied.seq",
          "Highest seq applied",
          () -> queue.marks().appliedSeq());
      gauge(
          registry,
          "highwater.queue.durable.seq",
          "Highest seq up to which everything is on disk",
          () -> queue.marks().durableSeq());
      gauge(
          registry,
          "highwater.queue.gap",
          "Seqs applied and not durable",
          () -> queue.marks().gap());
      gauge(
          registry,
          "highwater.queue.fenced",
          "1 while fenced",
          () -> queue.marks().fenced() ? 1 : 0);
      gauge(
          registry,
          "highwater.queue.stalled",
          "1 while an fsync runs for too long",
          () -> queue.status().stalled() ? 1 : 0);
      gauge(
          registry,
          "highwater.queue.records",
          "Hooks being received, waiting or being committed",
          () -> queue.status().records());
      gauge(
          registry,
          "highwater.queue.bytes",
          "Body bytes of those hooks",
          () -> queue.status().bytes());
      gauge(
          registry,
          "highwater.queue.unsynced.age",
          "Seconds since the oldest group that is not durable was applied",
          () -> queue.status().oldestUnsynced().toMillis() / 1000.0);
      FunctionCounter.builder("highwater.queue.fences", queue, q -> q.status().fences())
          .description("How often the queue was fenced")
          .register(registry);
      FunctionCounter.builder("highwater.queue.groups", queue, q -> q.status().groups())
          .description("Groups written")
          .register(registry);
      FunctionCounter.builder("highwater.queue.syncs", queue, q -> q.status().syncs())
          .description("Fsyncs that ended well")
          .register(registry);
    };
  }

  private static void gauge(
      MeterRegistry registry,
      String name,
      String description,
      java.util.function.Supplier<Number> value) {
    Gauge.builder(name, value).description(description).strongReference(true).register(registry);
  }
}
