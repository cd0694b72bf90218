package dev.highwater.source;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * A limit as it is written in the configuration: of hooks, of bytes, or of both.
 *
 * @param hooksPerSecond 1 to 1000000, on the average
 * @param bytesPerSecond of bodies, from 1KB, on the average
 * @param burst how long's worth may come at once, 1s to 1h
 */
public record RateLimitProperties(
    @Nullable Integer hooksPerSecond,
    @Nullable DataSize bytesPerSecond,
    @DefaultValue("10s") Duration burst) {
  private static final int MOST_HOOKS = 1_000_000;
  private static final DataSize LEAST_BYTES = DataSize.ofKilobytes(1);
  private static final DataSize MOST_BYTES = DataSize.ofTerabytes(1);
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  /**
   * The limit.
   *
   * @param key where it is written
   * @throws SourceConfigurationException at the first mistake
   */
  static @Nullable RateLimit of(String key, @Nullable RateLimitProperties properties) {
    return properties == null ? null : properties.checked(key);
  }

  private RateLimit checked(String key) {
    if (hooksPerSecond == null && bytesPerSecond == null) {
      throw new SourceConfigurationException(
          key, "limits nothing; set hooks-per-second, bytes-per-second or both");
    }
    if (hooksPerSecond != null && (hooksPerSecond < 1 || hooksPerSecond > MOST_HOOKS)) {
      throw new SourceConfigurationException(
          key + ".hooks-per-second", "must be 1 to " + MOST_HOOKS + ", not " + hooksPerSecond);
    }
    if (bytesPerSecond != null
        && (bytesPerSecond.compareTo(LEAST_BYTES) < 0
            || bytesPerSecond.compareTo(MOST_BYTES) > 0)) {
      throw new SourceConfigurationException(
          key + ".bytes-per-second", "must be 1KB to 1TB, not " + bytesPerSecond);
    }
    if (burst.compareTo(SHORTEST) < 0 || burst.compareTo(LONGEST) > 0) {
      throw new SourceConfigurationException(
          key + ".burst", "must be 1s to 1h, not " + burst.toMillis() + "ms");
    }
    return new RateLimit(
        hooksPerSecond == null ? 0 : hooksPerSecond,
        bytesPerSecond == null ? 0 : bytesPerSecond.toBytes(),
        burst);
  }
}
