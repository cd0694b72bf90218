package dev.highwater.telemetry;

import dev.highwater.hook.SourceRef;
import dev.highwater.ingest.IngestObserver;
import dev.highwater.signature.FailureReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the way in. Series are bounded by the configured sources times the closed list of
 * outcomes; requests that name no source share one (G11).
 */
final class IntakeMeters implements IngestObserver {
  private record Series(@Nullable SourceRef source, String outcome) {}

  private record Failure(SourceRef source, FailureReason reason) {}

  private final MeterRegistry registry;
  private final ConcurrentMap<Series, Counter> requests = new ConcurrentHashMap<>();
  private final ConcurrentMap<Failure, Counter> failures = new ConcurrentHashMap<>();
  private final Counter bytes;
  private final Timer answered;

  IntakeMeters(MeterRegistry registry) {
    this.registry = registry;
    this.bytes =
        Counter.builder("highwater.intake.body.bytes")
            .description("Body bytes received")
            .baseUnit("bytes")
            .register(registry);
    this.answered =
        Timer.builder("highwater.intake.ack")
            .description("From the headers of an accepted hook to its answer")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofNanos(100_000))
            .maximumExpectedValue(Duration.ofSeconds(30))
            .register(registry);
  }

  @Override
  public void answered(@Nullable SourceRef source, String outcome, long bodyBytes, long nanos) {
    requests.computeIfAbsent(new Series(source, outcome), this::counter).increment();
    bytes.increment((double) bodyBytes);
    if (outcome.equals("accepted")) {
      answered.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private Counter counter(Series series) {
    SourceRef source = series.source();
    return Counter.builder("highwater.intake.requests")
        .description("Requests to hook paths by what was answered")
        .tag("tenant", source == null ? "" : source.tenant())
        .tag("source", source == null ? "" : source.name())
        .tag("outcome", series.outcome())
        .register(registry);
  }

  @Override
  public void verificationFailed(SourceRef source, FailureReason reason) {
    failures
        .computeIfAbsent(
            new Failure(source, reason),
            failure ->
                Counter.builder("highwater.intake.verification.failures")
                    .description("Requests whose sender could not be verified")
                    .tag("tenant", source.tenant())
                    .tag("source", source.name())
                    .tag("reason", reason.code())
                    .register(registry))
        .increment();
  }
}
