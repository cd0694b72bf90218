package dev.highwater.signature;

import java.time.Duration;

/**
 * The time a request was signed at: decimal digits and nothing else.
 *
 * @param place where it stands
 * @param unit of one millisecond or one second
 * @param tolerance how far it may be from the clock, both ways, inclusive
 */
public record Timestamp(Place place, Duration unit, Duration tolerance) {

  /** Where a timestamp stands. */
  public sealed interface Place {
    /** In a header of its own, which may come once. */
    record Header(String name) implements Place {}

    /** An entry of the signature's own text. */
    record Entry(String label) implements Place {}

    /** In a field of the JSON body. */
    record Field(JsonField field) implements Place {}
  }

  private static final int LONGEST = 64;

  /** The same with another tolerance. */
  Timestamp within(Duration other) {
    return new Timestamp(place, unit, other);
  }

  /** Whether the text is digits only, of a length that is worth looking at. */
  static boolean isWellFormed(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /**
   * Whether a {@linkplain #isWellFormed well-formed} time is near enough to now.
   *
   * @param now Unix milliseconds
   */
  boolean isNear(String text, long now) {
    int first = 0;
    while (first < text.length() - 1 && text.charAt(first) == '0') {
      first++;
    }
    if (text.length() - first > 15) {
      return false; // beyond any clock, and beyond what the difference below can hold
    }
    long signedAt = Long.parseLong(text, first, text.length(), 10);
    long difference = Math.abs(Math.floorDiv(now, unit.toMillis()) - signedAt);
    return difference <= tolerance.toMillis() / unit.toMillis();
  }
}
