package dev.highwater.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is: tenants take turns, and within a tenant its sinks do. One turn is one attempt.
 * Holds only what has something ready. Owned by the dispatch thread.
 */
final class Turns {
  private final Budget budget;
  private final ArrayDeque<Tenant> tenants = new ArrayDeque<>();

  Turns(Budget budget) {
    this.budget = budget;
  }

  /** Says that a lane may have something ready; costs nothing if it has a place already. */
  void offer(Lane lane) {
    if (lane.hasReady() && !lane.isQueued()) {
      Tenant tenant = lane.tenant();
      if (!tenant.hasTurns()) {
        tenants.add(tenant);
      }
      tenant.add(lane);
      lane.queued(true);
    }
  }

  /** Takes up to {@code most} rows whose attempts may start now. */
  List<Row> take(int most) {
    List<Row> taken = new ArrayList<>();
    while (taken.size() < most && budget.hasSlot()) {
      Row row = next();
      if (row == null) {
        break;
      }
      taken.add(row);
    }
    return taken;
  }

  private @Nullable Row next() {
    Row taken = null;
    for (int i = tenants.size(); i > 0 && taken == null; i--) {
      Tenant tenant = tenants.remove();
      taken = tenant.take(budget);
      if (tenant.hasTurns()) {
        tenants.add(tenant);
      }
    }
    return taken;
  }
}
