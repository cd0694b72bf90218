package dev.highwater;

import dev.highwater.dispatch.Dispatcher;
import dev.highwater.dispatch.SinkStats;
import dev.highwater.hook.SourceRef;
import dev.highwater.queue.BacklogLimit;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The bound on what waits for delivery, per sink. Reads what dispatch counts anyway; what is still
 * in the pipeline is not counted, so the bound can be passed by as much as the queue has room for.
 */
final class Backlogs implements BacklogLimit {
  private final Supplier<Dispatcher> dispatcher;
  private final long maxRows;
  private volatile @Nullable Map<SourceRef, List<SinkStats>> sinks;

  /**
   * The limit.
   *
   * @param dispatcher asked once, after it has started
   * @param maxRows most deliveries that may wait for one sink
   */
  Backlogs(Supplier<Dispatcher> dispatcher, long maxRows) {
    this.dispatcher = dispatcher;
    this.maxRows = maxRows;
  }

  @Override
  public boolean isFull(SourceRef source) {
    for (SinkStats sink : sinks().getOrDefault(source, List.of())) {
      if (sink.pending() >= maxRows) {
        return true;
      }
    }
    return false;
  }

  private Map<SourceRef, List<SinkStats>> sinks() {
    Map<SourceRef, List<SinkStats>> known = sinks;
    if (known == null) {
      known =
          dispatcher.get().stats().sinks().stream()
              .collect(Collectors.groupingBy(SinkStats::source));
      sinks = known;
    }
    return known;
  }
}
