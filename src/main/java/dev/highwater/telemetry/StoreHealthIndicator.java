package dev.highwater.telemetry;

import dev.highwater.store.StoreService;
import dev.highwater.store.StoreStats;
import java.time.Instant;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The component {@code store}: UP while it is open and has room. Reads numbers only; writes
 * nothing.
 */
final class StoreHealthIndicator implements HealthIndicator {
  private final StoreService store;

  StoreHealthIndicator(StoreService store) {
    this.store = store;
  }

  @Override
  public Health health() {
    StoreStats stats = store.stats();
    boolean well = stats.open() && stats.hasRoom();
    return new Health.Builder(well ? Status.UP : Status.OUT_OF_SERVICE)
        .withDetail("open", stats.open())
        .withDetail(
            "lastWriteAt",
            stats.lastWriteAt() == 0
                ? "never"
                : Instant.ofEpochMilli(stats.lastWriteAt()).toString())
        .withDetail("freeBytes", stats.freeBytes())
        .withDetail("hasRoom", stats.hasRoom())
        .withDetail("reopens", stats.reopens())
        .build();
  }
}
