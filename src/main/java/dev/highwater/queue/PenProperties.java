package dev.highwater.queue;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the pen, where requests wait that failed verification. A full pen refuses what is new
 * and evicts nothing.
 *
 * @param maxBytes most bytes of all that waits there, 1 MB to 64 GB
 * @param maxBytesPerSource most bytes of what waits there of one source, 64 KB to {@code maxBytes};
 *     a quarter of that unless set
 */
@ConfigurationProperties("highwater.pen")
public record PenProperties(
    @DefaultValue("256MB") DataSize maxBytes, @Nullable DataSize maxBytesPerSource) {

  private static final DataSize LEAST = DataSize.ofMegabytes(1);
  private static final DataSize MOST = DataSize.ofGigabytes(64);
  private static final DataSize LEAST_PER_SOURCE = DataSize.ofKilobytes(64);

  public PenProperties {
    if (maxBytes.compareTo(LEAST) < 0 || maxBytes.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "highwater.pen.max-bytes must be 1MB to 65536MB, not " + maxBytes);
    }
    if (maxBytesPerSource != null
        && (maxBytesPerSource.compareTo(LEAST_PER_SOURCE) < 0
            || maxBytesPerSource.compareTo(maxBytes) > 0)) {
      throw new IllegalArgumentException(
          "highwater.pen.max-bytes-per-source must be 64KB to highwater.pen.max-bytes, which is "
              + maxBytes
              + ", not "
              + maxBytesPerSource);
    }
  }

  /** What holds where nothing is configured. */
  public static PenProperties defaults() {
    return new PenProperties(DataSize.ofMegabytes(256), null);
  }

  /** The bound of one source, in bytes. */
  long perSource() {
    return maxBytesPerSource == null ? maxBytes.toBytes() / 4 : maxBytesPerSource.toBytes();
  }
}
