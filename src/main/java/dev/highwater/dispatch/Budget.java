package dev.highwater.dispatch;

/**
 * Who may start one more attempt. Owned by the dispatch thread.
 *
 * <p>Three things are scarce: slots (attempts that run), body bytes they hold, and rows in flight,
 * which also counts the ended ones whose outcome is not written. The last runs out only while the
 * store cannot be written, and then for everybody alike. Slots and bytes can be hoarded by a sink
 * that hangs, so they are never given away entirely (G10): what somebody may hold is measured by
 * what would still be free.
 *
 * <ul>
 *   <li>A tenant may hold three times what is left free. One busy tenant thus has at most three
 *       quarters of the slots, and the next one always finds some.
 *   <li>A sink may hold as much as its tenant may still take, and never more than its cap. One busy
 *       sink has its whole cap; four that hang leave a fifth, and so on: there is no number of
 *       hanging sinks at which another sink finds nothing, up to three quarters of the slots.
 * </ul>
 *
 * <p>The first attempt of a tenant or sink is admitted by bytes as soon as it fits at all. A body
 * larger than the whole bound is admitted when no other body is held.
 */
final class Budget {
  private static final int TENANT_TIMES_FREE = 3;

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
    int allowance = TENANT_TIMES_FREE * free - tenant.running();
    return sink.running() < bounds.perSink() && sink.running() < Math.min(free, allowance);
  }

  private boolean admitsBytes(Share tenant, Share sink, long length) {
    if (length == 0 || bytes == 0) {
      return true;
    }
    long after = maxBytes - bytes - length;
    boolean tenantMay = tenant.bytes() == 0 || tenant.bytes() + length <= TENANT_TIMES_FREE * after;
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
