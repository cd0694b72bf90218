package dev.highwater.telemetry;

import dev.highwater.store.FailureKind;
import dev.highwater.store.StoreService;
import dev.highwater.store.StoreStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** The meters of the store; read from numbers it keeps anyway. */
final class StoreMeters implements MeterBinder {
  private final StoreService store;

  StoreMeters(StoreService store) {
    this.store = store;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (FailureKind kind : FailureKind.values()) {
      FunctionCounter.builder(
              "highwater.store.write.failures",
              store,
              s -> s.stats().writeFailures().getOrDefault(kind, 0L))
          .description("Failed writes, flushes and syncs")
          .tag("kind", kind.name().toLowerCase(java.util.Locale.ROOT))
          .register(registry);
    }
    FunctionCounter.builder("highwater.store.reopens", store, s -> s.stats().reopens())
        .description("Reopenings that worked")
        .register(registry);
    gauge(registry, "highwater.store.open", "1 while the store is open", s -> s.open() ? 1 : 0);
    gauge(
        registry,
        "highwater.store.free.bytes",
        "Free disk in the data directory",
        StoreStats::freeBytes);
    gauge(registry, "highwater.store.leases", "Leases that are out", StoreStats::leases);
  }

  private void gauge(
      MeterRegistry registry, String name, String description, ToDoubleFunction<StoreStats> value) {
    Gauge.builder(name, store, s -> value.applyAsDouble(s.stats()))
        .description(description)
        .register(registry);
  }
}
