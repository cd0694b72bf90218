package dev.highwater.dispatch;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The bounds of delivery.
 *
 * @param slots how many attempts run at once, over all sinks (64); 1 to 4096
 * @param perSink how many attempts run at once to one sink (16); 1 to 4096
 * @param maxRows how many deliveries may be in flight: running, or ended with their outcome not yet
 *     written (4096); {@code slots} to 65536
 * @param maxBytes how many body bytes the running attempts may hold (128 MB, and a sixteenth of the
 *     heap); a larger body is delivered only while no other body is held; at least 1 MB
 * @param maxBacklog how many deliveries may wait for one sink (10,000,000) before hooks of its
 *     source are answered 503; at least 1
 * @param maxBacklogBytes how many body bytes may wait for one sink (64 GB) before the same; at
 *     least 1 MB
 */
@ConfigurationProperties("highwater.dispatch")
public record DispatchProperties(
    @DefaultValue("64") int slots,
    @DefaultValue("16") int perSink,
    @DefaultValue("4096") int maxRows,
    @DefaultValue("128MB") DataSize maxBytes,
    @DefaultValue("10000000") long maxBacklog,
    @DefaultValue("64GB") DataSize maxBacklogBytes) {

  public DispatchProperties {
    check(maxBacklog >= 1, "highwater.dispatch.max-backlog must be at least 1, not " + maxBacklog);
    check(slots >= 1 && slots <= 4096, "highwater.dispatch.slots must be 1 to 4096, not " + slots);
    check(
        perSink >= 1 && perSink <= 4096,
        "highwater.dispatch.per-sink must be 1 to 4096, not " + perSink);
    check(
        maxRows >= slots && maxRows <= 65536,
        "highwater.dispatch.max-rows must be highwater.dispatch.slots ("
            + slots
            + ") to 65536, not "
            + maxRows);
    check(
        maxBytes.toBytes() >= 1 << 20,
        "highwater.dispatch.max-bytes must be at least 1MB, not " + maxBytes);
    check(
        maxBacklogBytes.toBytes() >= 1 << 20,
        "highwater.dispatch.max-backlog-bytes must be at least 1MB, not " + maxBacklogBytes);
  }

  /**
   * The same, with the body bytes cut to what fits into the heap beside what is being received.
   *
   * @param heap the most memory the process may use for objects, in bytes
   */
  public DispatchProperties within(long heap) {
    var fits = DataSize.ofBytes(Math.max(heap / 16, 1 << 20));
    return maxBytes.compareTo(fits) <= 0
        ? this
        : new DispatchProperties(slots, perSink, maxRows, fits, maxBacklog, maxBacklogBytes);
  }

  /** Every setting at its default. */
  public static DispatchProperties usual() {
    return new DispatchProperties(
        64, 16, 4096, DataSize.ofMegabytes(128), 10_000_000, DataSize.ofGigabytes(64));
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
