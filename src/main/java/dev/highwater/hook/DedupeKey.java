package dev.highwater.hook;

import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The key by which a hook's repetitions are known, within its tenant and source.
 *
 * @param bytes 1 to {@value #LONGEST} bytes; a longer key is its SHA-256 before it comes here
 * @param window how long after the first commit a repetition counts as one; at least 1 ms, which is
 *     what is stored of it
 */
public record DedupeKey(byte[] bytes, Duration window) {
  public static final int LONGEST = 200;
  private static final Duration SHORTEST = Duration.ofMillis(1);

  public DedupeKey {
    if (bytes.length == 0 || bytes.length > LONGEST) {
      throw new IllegalArgumentException(
          "a dedupe key has 1 to " + LONGEST + " bytes, not " + bytes.length);
    }
    if (window.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException("a dedupe window is at least 1 ms, not " + window);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DedupeKey key
        && Arrays.equals(bytes, key.bytes)
        && window.equals(key.window);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "dedupe key of " + bytes.length + " bytes";
  }
}
