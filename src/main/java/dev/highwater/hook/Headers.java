package dev.highwater.hook;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The headers of one request, in the order and the spelling in which they came. Names are compared
 * without regard to case. Immutable.
 */
public final class Headers {
  private static final Headers NONE = new Headers(new String[0]);

  /** Name, value, name, value, … */
  private final String[] pairs;

  private Headers(String[] pairs) {
    this.pairs = pairs;
  }

  public static Headers none() {
    return NONE;
  }

  /**
   * Headers from alternating names and values.
   *
   * @throws IllegalArgumentException if the number of strings is odd
   */
  public static Headers of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("a header has a name and a value");
    }
    return namesAndValues.length == 0 ? NONE : new Headers(namesAndValues.clone());
  }

  /** How many headers there are; a repeated one counts each time. */
  public int size() {
    return pairs.length / 2;
  }

  /**
   * The name of the header at {@code index}.
   *
   * @param index 0 to {@link #size()} - 1
   */
  public String name(int index) {
    return pairs[2 * index];
  }

  /**
   * The value of the header at {@code index}.
   *
   * @param index 0 to {@link #size()} - 1
   */
  public String value(int index) {
    return pairs[2 * index + 1];
  }

  /** The first value of {@code name}, or null when there is no such header. */
  public @Nullable String first(String name) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equalsIgnoreCase(name)) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  /** Every value of {@code name}, in order; empty when there is no such header. */
  public List<String> all(String name) {
    List<String> values = new ArrayList<>(1);
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equalsIgnoreCase(name)) {
        values.add(pairs[i + 1]);
      }
    }
    return values;
  }

  /** Calls {@code action} with each name and value, in order. */
  public void forEach(BiConsumer<String, String> action) {
    for (int i = 0; i < pairs.length; i += 2) {
      action.accept(pairs[i], pairs[i + 1]);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Headers headers && Arrays.equals(pairs, headers.pairs);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(pairs);
  }

  /** The number of headers only: values can be secrets (G12). */
  @Override
  public String toString() {
    return size() + " headers";
  }
}
