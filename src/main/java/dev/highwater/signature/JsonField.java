package dev.highwater.signature;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * The place of one field in a JSON body. It is read as a stream that stops at the field: linear
 * time, no recursion, at most {@value #DEEPEST} levels. The first of two fields of one name counts.
 *
 * @param path the names from the outside to the inside; digits are an index where an array stands
 */
public record JsonField(List<String> path) {
  static final int DEEPEST = 256;

  /**
   * Without the table of names, which all parsers of a factory share: what one tenant sends must
   * not change how another one's bodies are read (G10).
   */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .build();

  public JsonField {
    path = List.copyOf(path);
    if (path.isEmpty() || path.stream().anyMatch(String::isEmpty)) {
      throw new IllegalArgumentException("a path is names with dots between, such as data.id");
    }
  }

  /**
   * A path as it is written in the configuration.
   *
   * @param text names with dots between: {@code data.id}, {@code items.0.id}
   * @throws IllegalArgumentException if a name is empty
   */
  public static JsonField parse(String text) {
    return new JsonField(List.of(text.split("\\.", -1)));
  }

  /**
   * The string or number that stands there, a number as it is written. Null where there is none,
   * where it is anything else, and where the body is not JSON up to there. Never throws.
   */
  public @Nullable String read(byte[] body) {
    return read(body, null);
  }

  /** The same, but empty where the field is not there or null; null where it is anything else. */
  @Nullable String readOrEmpty(byte[] body) {
    return read(body, "");
  }

  private @Nullable String read(byte[] body, @Nullable String absent) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
      JsonToken token = json.nextToken();
      for (String name : path) {
        token = descend(json, token, name);
      }
      if (token == null || token == JsonToken.VALUE_NULL) {
        return absent;
      }
      boolean hasText =
          token == JsonToken.VALUE_STRING
              || token == JsonToken.VALUE_NUMBER_INT
              || token == JsonToken.VALUE_NUMBER_FLOAT;
      return hasText ? wellFormed(json.getString()) : null;
    } catch (JacksonException notJson) {
      return null;
    }
  }

  /** The token of the value called {@code name} in the value the parser is at, or null. */
  static @Nullable JsonToken descend(JsonParser json, @Nullable JsonToken at, String name) {
    if (at == JsonToken.START_OBJECT) {
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean found = name.equals(json.currentName());
        JsonToken value = json.nextToken();
        if (found) {
          return value;
        }
        json.skipChildren();
      }
    } else if (at == JsonToken.START_ARRAY) {
      int remaining = index(name);
      for (JsonToken value = json.nextToken();
          remaining >= 0 && value != null && value != JsonToken.END_ARRAY;
          value = json.nextToken()) {
        if (remaining-- == 0) {
          return value;
        }
        json.skipChildren();
      }
    }
    return null;
  }

  /**
   * Null where the bytes were not UTF-8 or an escape is half a character: both become replacement
   * characters, and two ids that differ would be one.
   */
  private static @Nullable String wellFormed(String text) {
    boolean damaged =
        text.indexOf('\uFFFD') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text);
    return damaged ? null : text;
  }

  /** The index a name stands for, or -1. */
  private static int index(String name) {
    boolean digits = name.length() <= 9 && name.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits ? Integer.parseInt(name) : -1;
  }

  /** As it is written in the configuration. */
  @Override
  public String toString() {
    return String.join(".", path);
  }
}
