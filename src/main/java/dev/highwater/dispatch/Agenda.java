package dev.highwater.dispatch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which lane has to be scanned from which stamp on. A lane stands here only while it has room for
 * rows and may find some. Owned by the dispatch thread.
 */
final class Agenda {
  /** A lane's place. */
  record Entry(long at, Lane lane) {}

  private final TreeSet<Entry> byStamp =
      new TreeSet<>(
          Comparator.comparingLong(Entry::at).thenComparingInt(entry -> entry.lane().id()));
  private final List<Lane> paused = new ArrayList<>();

  /** To be called after whatever changes a lane's floor or its ready rows. */
  void update(Lane lane) {
    Entry old = lane.entry();
    boolean wants = lane.wantsRows() && !lane.pause().isArmed();
    if (old != null && wants && old.at() == lane.floorAt()) {
      return;
    }
    if (old != null) {
      byStamp.remove(old);
      lane.entry(null);
    }
    if (wants) {
      var entry = new Entry(lane.floorAt(), lane);
      lane.entry(entry);
      byStamp.add(entry);
    }
  }

  /** The lane that waits longest and has reached its stamp, taken off; or null. */
  @Nullable Lane pollDueBy(long visible) {
    if (byStamp.isEmpty() || byStamp.first().at() > visible) {
      return null;
    }
    Lane lane = byStamp.removeFirst().lane();
    lane.entry(null);
    return lane;
  }

  /** The stamp of the first lane, {@link Long#MAX_VALUE} if there is none. */
  long firstAt() {
    return byStamp.isEmpty() ? Long.MAX_VALUE : byStamp.first().at();
  }

  /** Leaves the lane alone until its pause is over. */
  void pause(Lane lane) {
    paused.add(lane);
    update(lane);
  }

  /** Takes back the lanes whose pause is over. */
  void endPauses(long now) {
    paused.removeIf(
        lane -> {
          boolean over = !lane.pause().isOn(now);
          if (over) {
            update(lane);
          }
          return over;
        });
  }

  /** Nanoseconds until the first pause ends, {@link Long#MAX_VALUE} if there is none. */
  long nanosToFirstPauseEnd(long now) {
    long first = Long.MAX_VALUE;
    for (Lane lane : paused) {
      first = Math.min(first, lane.pause().left(now));
    }
    return first;
  }
}
