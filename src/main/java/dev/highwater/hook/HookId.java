package dev.highwater.hook;

import java.util.UUID;

/**
 * The id of a hook: a UUID version 7, so ids sort by the time they were made. It is what the
 * provider gets in its answer and what a consumer deduplicates by (G14). Two nodes never make the
 * same one.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
public record HookId(long high, long low) implements Comparable<HookId> {

  /**
   * Makes an id from its parts.
   *
   * @param unixMillis the wall clock, 48 bits are kept
   * @param randomHigh 12 bits of it are used
   * @param randomLow 62 bits of it are used
   */
  public static HookId of(long unixMillis, long randomHigh, long randomLow) {
    long high = (unixMillis << 16) | 0x7000L | (randomHigh & 0x0FFFL);
    long low = 0x8000000000000000L | (randomLow & 0x3FFFFFFFFFFFFFFFL);
    return new HookId(high, low);
  }

  /**
   * Reads the canonical text form.
   *
   * @throws IllegalArgumentException if {@code text} is not a UUID in its canonical 36 characters
   */
  public static HookId parse(String text) {
    if (text.length() != 36) {
      throw new IllegalArgumentException("not a hook id: it must have 36 characters");
    }
    UUID uuid = UUID.fromString(text);
    return new HookId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  @Override
  public int compareTo(HookId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  /** When the hook arrived by the wall clock, Unix milliseconds; 48 bits. */
  public long unixMillis() {
    return high >>> 16;
  }

  /** The canonical form, as in RFC 9562. */
  @Override
  public String toString() {
    return new UUID(high, low).toString();
  }
}
