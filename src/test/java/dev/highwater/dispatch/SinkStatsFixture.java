package dev.highwater.dispatch;

import dev.highwater.hook.SourceRef;

/** Makes stats for those who only read them. */
public final class SinkStatsFixture {
  private SinkStatsFixture() {}

  public static SinkStats waiting(SourceRef source, String sink, long rows, long bytes) {
    var stats = new SinkStats(source, sink);
    stats.addPending(rows, bytes);
    return stats;
  }
}
