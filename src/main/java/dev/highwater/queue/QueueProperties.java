package dev.highwater.queue;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the write path.
 *
 * @param maxGroup most hooks one write commits together, 1 to 4096
 * @param maxGroupBytes most body bytes of one group, 1 MB to 64 MB, and a thirty-second of the
 *     heap; a larger body is a group of its own
 * @param maxRecords most hooks that are being received, waiting or being committed, 2 to 1000000
 * @param maxBytes most body bytes of those hooks, 1 MB to 64 GB, and a quarter of the heap
 * @param commitDeadline how long a hook may wait for its commit to start, 100 ms to 5 min; then it
 *     is answered 503 and not stored
 * @param stallAfter how long an fsync may run until new hooks are refused, 1 s to 5 min; those that
 *     wait go on waiting
 */
@ConfigurationProperties("highwater.queue")
public record QueueProperties(
    @DefaultValue("256") int maxGroup,
    @DefaultValue("8MB") DataSize maxGroupBytes,
    @DefaultValue("20000") int maxRecords,
    @DefaultValue("512MB") DataSize maxBytes,
    @DefaultValue("15s") Duration commitDeadline,
    @DefaultValue("20s") Duration stallAfter) {

  private static final String PREFIX = "highwater.queue.";

  public QueueProperties {
    number("max-group", maxGroup, 1, 4096);
    size("max-group-bytes", maxGroupBytes, DataSize.ofMegabytes(1), DataSize.ofMegabytes(64));
    number("max-records", maxRecords, 2, 1_000_000);
    size("max-bytes", maxBytes, DataSize.ofMegabytes(1), DataSize.ofGigabytes(64));
    time("commit-deadline", commitDeadline, Duration.ofMillis(100), Duration.ofMinutes(5));
    time("stall-after", stallAfter, Duration.ofSeconds(1), Duration.ofMinutes(5));
  }

  /** What holds where nothing is configured. */
  public static QueueProperties defaults() {
    return new QueueProperties(
        256,
        DataSize.ofMegabytes(8),
        20_000,
        DataSize.ofMegabytes(512),
        Duration.ofSeconds(15),
        Duration.ofSeconds(20));
  }

  /**
   * The same, with what has to fit into the heap cut to what does. A group is in memory three times
   * while it is written.
   *
   * @param heap the most memory the process may use for objects, in bytes
   */
  public QueueProperties within(long heap) {
    return new QueueProperties(
        maxGroup,
        smaller(maxGroupBytes, heap / 32),
        maxRecords,
        smaller(maxBytes, heap / 4),
        commitDeadline,
        stallAfter);
  }

  private static DataSize smaller(DataSize setting, long bytes) {
    var fits = DataSize.ofBytes(Math.max(bytes, DataSize.ofMegabytes(1).toBytes()));
    return setting.compareTo(fits) <= 0 ? setting : fits;
  }

  private static void number(String key, int value, int least, int most) {
    check(value >= least && value <= most, key, least + " to " + most, value);
  }

  private static void size(String key, DataSize value, DataSize least, DataSize most) {
    check(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        key,
        least.toMegabytes() + "MB to " + most.toMegabytes() + "MB",
        value);
  }

  private static void time(String key, Duration value, Duration least, Duration most) {
    check(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        key,
        least.toMillis() + "ms to " + most.toMillis() + "ms",
        value);
  }

  private static void check(boolean holds, String key, String right, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(PREFIX + key + " must be " + right + ", not " + value);
    }
  }
}
