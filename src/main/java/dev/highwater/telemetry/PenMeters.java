package dev.highwater.telemetry;

import dev.highwater.hook.SourceRef;
import dev.highwater.queue.ConfiguredSinks;
import dev.highwater.queue.PenRoom;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.Function;

/**
 * What waits in the pen, by configured source; what is left of sources that are not configured any
 * more is in one series with empty labels (G11). What is on its way there is counted as well.
 */
final class PenMeters implements MeterBinder {
  private final PenRoom room;
  private final List<SourceRef> sources;

  PenMeters(PenRoom room, ConfiguredSinks sinks) {
    this.room = room;
    this.sources = sinks.names().stream().map(ConfiguredSinks.Name::source).distinct().toList();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (SourceRef source : sources) {
      bind(registry, source.tenant(), source.name(), pen -> pen.content(source));
    }
    bind(registry, "", "", this::ofOthers);
    Gauge.builder("highwater.pen.max.bytes", room, PenRoom::maxBytes)
        .description("Bound for the bytes of all sources")
        .baseUnit("bytes")
        .register(registry);
  }

  private void bind(
      MeterRegistry registry,
      String tenant,
      String source,
      Function<PenRoom, PenRoom.Content> content) {
    Tags tags = Tags.of("tenant", tenant, "source", source);
    Gauge.builder("highwater.pen.rows", room, pen -> content.apply(pen).rows())
        .description("Requests that failed verification and wait in the pen")
        .tags(tags)
        .register(registry);
    Gauge.builder("highwater.pen.size", room, pen -> content.apply(pen).bytes())
        .description("What those count for")
        .baseUnit("bytes")
        .tags(tags)
        .register(registry);
  }

  private PenRoom.Content ofOthers(PenRoom pen) {
    PenRoom.Content all = pen.content();
    long rows = all.rows();
    long bytes = all.bytes();
    for (SourceRef source : sources) {
      PenRoom.Content one = pen.content(source);
      rows -= one.rows();
      bytes -= one.bytes();
    }
    // Read one after the other while requests come and go.
    return new PenRoom.Content(Math.max(0, rows), Math.max(0, bytes));
  }
}
