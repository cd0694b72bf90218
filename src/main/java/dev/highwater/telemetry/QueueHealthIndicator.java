package dev.highwater.telemetry;

import dev.highwater.queue.QueueInspector;
import dev.highwater.queue.QueueStatus;
import java.time.Instant;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The component {@code queue}: UP while hooks are taken, else OUT_OF_SERVICE with the reason. Reads
 * counters only, so it answers also while the disk does not.
 */
final class QueueHealthIndicator implements HealthIndicator {
  private final QueueInspector queue;

  QueueHealthIndicator(QueueInspector queue) {
    this.queue = queue;
  }

  @Override
  public Health health() {
    QueueStatus now = queue.status();
    var health =
        new Health.Builder(now.accepting() ? Status.UP : Status.OUT_OF_SERVICE)
            .withDetail("fenced", now.marks().fenced());
    QueueStatus.FenceReport fence = now.fence();
    if (fence != null) {
      health.withDetail("reason", fence.reason()).withDetail("since", fence.since().toString());
    } else if (now.stalled()) {
      health.withDetail(
          "reason", "an fsync has been running for " + now.syncRunning().toSeconds() + " s");
    } else if (!now.roomOnDisk()) {
      health.withDetail("reason", "the disk is nearly full");
    } else if (now.stopping()) {
      health.withDetail("reason", "the service is stopping");
    }
    return health
        .withDetail("appliedSeq", now.marks().appliedSeq())
        .withDetail("durableSeq", now.marks().durableSeq())
        .withDetail("gap", now.marks().gap())
        .withDetail("durableAt", Instant.ofEpochMilli(now.marks().durableAt()).toString())
        .withDetail("oldestUnsyncedAge", now.oldestUnsynced().toString())
        .build();
  }
}
