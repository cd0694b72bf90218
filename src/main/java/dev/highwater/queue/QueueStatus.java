package dev.highwater.queue;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a person wants to know of the queue.
 *
 * @param marks the counters
 * @param fence why and since when it is fenced, or null
 * @param stalled an fsync has been running for so long that new hooks are refused
 * @param roomOnDisk false while the disk is so full that new hooks are refused
 * @param stopping the service is shutting down
 * @param oldestUnsynced about how old the oldest group is that is not durable; zero while
 *     everything is
 * @param syncRunning how long the running fsync has been running; zero while none runs
 * @param records hooks that are being received, waiting or being committed
 * @param bytes their body bytes
 * @param groups written since the start
 * @param syncs fsyncs that ended well since the start
 * @param fences how often it was fenced since the start
 */
public record QueueStatus(
    Marks marks,
    @Nullable FenceReport fence,
    boolean stalled,
    boolean roomOnDisk,
    boolean stopping,
    Duration oldestUnsynced,
    Duration syncRunning,
    long records,
    long bytes,
    long groups,
    long syncs,
    long fences) {

  /** Why and since when. */
  public record FenceReport(String reason, Instant since) {}

  /** Whether hooks are taken. */
  public boolean accepting() {
    return !marks.fenced() && !stalled && roomOnDisk && !stopping;
  }
}
