package dev.highwater.dispatch;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The sinks of one tenant that have something ready, in turn. Owned by the dispatch thread. */
final class Tenant {
  private final Share share = new Share();
  private final ArrayDeque<Lane> turns = new ArrayDeque<>();

  Share share() {
    return share;
  }

  void add(Lane lane) {
    turns.add(lane);
  }

  boolean hasTurns() {
    return !turns.isEmpty();
  }

  /**
   * The next row of the next sink that the budget admits, taken from both; null if there is none.
   */
  @Nullable Row take(Budget budget) {
    Row taken = null;
    for (int i = turns.size(); i > 0 && taken == null; i--) {
      Lane lane = turns.remove();
      if (budget.admits(share, lane.share(), lane.firstReady().length())) {
        taken = lane.takeReady();
        budget.take(share, lane.share(), taken.length());
      }
      if (lane.hasReady()) {
        turns.add(lane);
      } else {
        lane.queued(false);
      }
    }
    return taken;
  }
}
