package dev.highwater.dispatch;

/**
 * Who may start one more attempt. Owned by the dispatch thread.
 *
 * <p>Three things are scarce: slots (attempts that run), body bytes they hold, and rows in flight,
 * which also counts the ended ones whose outcome is not written. The last runs out only while the
 * store cannot be written, and then for everybody alike. Slots and bytes can be hoarded by a sink
 * that hangs, so what somebody may hold is measured by what would still be free (G10):
 *
 * <ul>
 *   <li>A quarter of the slots is for sinks that have no attempt running, one each; the last half
 *       of it only for tenants that have none running.
 *   <li>Of the rest, a sink that has some may take another while it holds fewer than are left, and
 *       up to its cap; a tenant while it holds fewer than three times what is left.
 * </ul>
 *
 * <p>So one busy sink reaches its cap where that is at most three eighths of the slots; every sink
 * that begins to hang takes less than the one before; and whoever runs nothing finds a slot until
 * some twenty sinks hang at once, with the usual bounds. What hangs ends at its time-out.
 *
 * <p>Bytes are shared by the same measure without a reserve; the first body of a tenant or sink is
 * admitted when it fits at all. A body larger than the whole bound is admitted when no other body
 * is held.
 */
final class Budget {
  private static final int TENANT_TIMES_LEFT = 3;

  private final DispatchProperties bounds;
  private final long maxBytes;
  private int running;
  private int rows;
  private long bytes;

  Budget(DispatchProperties bounds) {
    this.bounds = bounds;
    this.maxBytes = bounds.maxBytes().toBytes();
  }

  /** Whether anybody may start an attempt. */
  boolean hasSlot() {
    return running < bounds.slots() && rows < bounds.maxRows();
  }

  boolean admits(Share tenant, Share sink, long length) {
    return hasSlot() && admitsSlot(tenant, sink) && admitsBytes(tenant, sink, length);
  }

  private boolean admitsSlot(Share tenant, Share sink) {
    int free = bounds.slots() - running;
    if (tenant.running() == 0) {
      return true;
    }
    if (sink.running() == 0) {
      return free > bounds.slots() / 8;
    }
    int left = free - bounds.slots() / 4;
    return sink.running() < bounds.perSink()
        && sink.running() < left
        && tenant.running() < TENANT_TIMES_LEFT * left;
  }

  private boolean admitsBytes(Share tenant, Share sink, long length) {
    if (length == 0 || bytes == 0) {
      return true;
    }
    long after = maxBytes - bytes - length;
    boolean tenantMay = tenant.bytes() == 0 || tenant.bytes() + length <= TENANT_TIMES_LEFT * after;
    boolean sinkMay = sink.bytes() == 0 || sink.bytes() + length <= after;
    return after >= 0 && tenantMay && sinkMay;
  }

  void take(Share tenant, Share sink, long length) {
    running++;
    rows++;
    bytes += length;
    tenant.add(1, length);
    sink.add(1, length);
  }

  /** The attempt has ended: its body is no longer held. */
  void ended(Share tenant, Share sink, long length) {
    running--;
    bytes -= length;
    tenant.add(-1, -length);
    sink.add(-1, -length);
  }

  /** Nothing is to be written about it any more. */
  void settled() {
    rows--;
  }

  int running() {
    return running;
  }
}
