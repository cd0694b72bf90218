package dev.highwater.signature;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * A list in a JSON body whose items are looked at one by one.
 *
 * <p>Unlike a single field, this reads the body to its end and refuses it when a name stands twice
 * in one object. Where items are signed and the body is not, somebody could put a second list
 * beside the signed one, and which of the two counts would be up to whoever reads it.
 *
 * @param list where the list stands
 */
public record JsonItems(JsonField list) {
  /** The most items of one body. */
  static final int MOST = 4096;

  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(JsonField.DEEPEST).build())
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /**
   * The JSON text of each item. Linear time; never throws.
   *
   * @return empty where the list is; null where there is no list of objects at that place, where it
   *     has more than {@value #MOST}, and where the body is not one JSON value in UTF-8 with unique
   *     names
   */
  public @Nullable List<byte[]> of(byte[] body) {
    String text = decoded(body);
    if (text == null) {
      return null;
    }
    try (JsonParser json = STRICT.createParser(ObjectReadContext.empty(), text)) {
      JsonToken token = json.nextToken();
      for (String name : list.path()) {
        token = JsonField.descend(json, token, name);
      }
      if (token != JsonToken.START_ARRAY) {
        return null;
      }
      List<byte[]> items = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        long start = json.currentTokenLocation().getCharOffset();
        if (json.currentToken() != JsonToken.START_OBJECT || items.size() == MOST) {
          return null;
        }
        json.skipChildren();
        long end = json.currentLocation().getCharOffset();
        items.add(text.substring((int) start, (int) end).getBytes(StandardCharsets.UTF_8));
      }
      return endsAfterOneValue(json) ? items : null;
    } catch (JacksonException notJson) {
      return null;
    }
  }

  private static @Nullable String decoded(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException notUtf8) {
      return null;
    }
  }

  private static boolean endsAfterOneValue(JsonParser json) {
    boolean ended = false;
    while (json.nextToken() != null) {
      if (ended) {
        return false;
      }
      ended = json.streamReadContext().inRoot();
    }
    return true;
  }
}
