package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.dispatch.SinkStats;
import dev.highwater.dispatch.SinkStatsFixture;
import dev.highwater.hook.SourceRef;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a source is full. */
class BacklogsTest {
  private static final SourceRef SHOP = SourceRef.of("shop");
  private static final SourceRef OTHER = SourceRef.of("other");

  private final List<SinkStats> stats = new ArrayList<>();
  private final Backlogs backlogs = new Backlogs(() -> stats, 10, 1000);

  @Test
  void oneSinkAtItsBoundOfRowsFillsItsSourceAndNoOther() {
    stats.add(SinkStatsFixture.waiting(SHOP, "empty", 0, 0));
    stats.add(SinkStatsFixture.waiting(SHOP, "dead", 10, 0));
    stats.add(SinkStatsFixture.waiting(OTHER, "main", 9, 0));

    assertThat(backlogs.isFull(SHOP)).isTrue();
    assertThat(backlogs.isFull(OTHER)).isFalse();
  }

  @Test
  void oneSinkAtItsBoundOfBytesFillsItsSourceAndNoOther() {
    stats.add(SinkStatsFixture.waiting(SHOP, "dead", 1, 1000));
    stats.add(SinkStatsFixture.waiting(OTHER, "a", 1, 999));
    stats.add(SinkStatsFixture.waiting(OTHER, "b", 1, 999));

    assertThat(backlogs.isFull(SHOP)).isTrue();
    assertThat(backlogs.isFull(OTHER)).isFalse();
  }

  @Test
  void toBeAskedBeforeDispatchHasStartedLoosensNothing() {
    assertThat(backlogs.isFull(SHOP)).isFalse();

    stats.add(SinkStatsFixture.waiting(SHOP, "dead", 10, 0));

    assertThat(backlogs.isFull(SHOP)).isTrue();
  }
}
