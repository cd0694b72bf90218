package dev.highwater;

import dev.highwater.dispatch.SinkStats;
import dev.highwater.hook.SourceRef;
import dev.highwater.queue.BacklogLimit;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The bounds on what waits for delivery, per sink, in rows and in bytes. Reads what dispatch counts
 * anyway; what is still in the pipeline is not counted, so a bound can be passed by as much as the
 * queue has room for.
 */
final class Backlogs implements BacklogLimit {
  private final Supplier<List<SinkStats>> stats;
  private final long maxRows;
  private final long maxBytes;
  private volatile @Nullable Map<SourceRef, List<SinkStats>> sinks;

  /**
   * The limit.
   *
   * @param stats of every sink; asked until there is one, which is when dispatch has started
   * @param maxRows most deliveries that may wait for one sink
   * @param maxBytes most body bytes that may
   */
  Backlogs(Supplier<List<SinkStats>> stats, long maxRows, long maxBytes) {
    this.stats = stats;
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
  }

  @Override
  public boolean isFull(SourceRef source) {
    for (SinkStats sink : sinks().getOrDefault(source, List.of())) {
      if (sink.pending() >= maxRows || sink.pendingBytes() >= maxBytes) {
        return true;
      }
    }
    return false;
  }

  private Map<SourceRef, List<SinkStats>> sinks() {
    Map<SourceRef, List<SinkStats>> known = sinks;
    if (known == null) {
      known = stats.get().stream().collect(Collectors.groupingBy(SinkStats::source));
      // Empty before the start: to keep that would be no bound for ever.
      sinks = known.isEmpty() ? null : known;
    }
    return known;
  }
}
