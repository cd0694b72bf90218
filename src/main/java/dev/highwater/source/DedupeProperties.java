package dev.highwater.source;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the repetitions of a hook are known, as it is written in the configuration: {@code none}, or
 * one of header, body and join, or only a window for the provider's own way.
 *
 * @param header the header that holds the event's id
 * @param body the path of the JSON field that holds it, with dots
 * @param join several of them, which make the key together
 * @param window how long after the first one a repetition counts as one; 3 days unless set, none at
 *     all with 0
 */
public record DedupeProperties(
    @Nullable String header,
    @Nullable String body,
    @Nullable List<Part> join,
    @Nullable Duration window) {
  static final String EXPECTED =
      "none, or one of {header: <name>}, {body: <path>} and {join: [...]}, perhaps with window";

  /**
   * A part of a joined key.
   *
   * @param header a header, or
   * @param body the path of a JSON field
   */
  public record Part(@Nullable String header, @Nullable String body) {}

  /**
   * Reads {@code off} as YAML has it without quotes, which is false.
   *
   * @throws IllegalArgumentException if it is true
   */
  public static DedupeProperties of(Boolean word) {
    return of(word ? "on" : "off");
  }

  /**
   * Reads what is a word and not a map. The binder finds this method by its name.
   *
   * @throws IllegalArgumentException if it is not a word that is known
   */
  public static DedupeProperties of(String word) {
    return switch (word) {
      case "" -> new DedupeProperties(null, null, null, null);
      case "none", "off" -> new DedupeProperties(null, null, null, Duration.ZERO);
      default -> throw new IllegalArgumentException("must be " + EXPECTED);
    };
  }
}
