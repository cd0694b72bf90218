package dev.highwater.source;

import dev.highwater.signature.EventKey;
import dev.highwater.signature.JsonField;
import java.util.ArrayList;
import java.util.List;

/** Reads where the id of an event stands, or says which key is wrong. */
final class EventKeys {
  private EventKeys() {}

  static EventKey join(String key, List<DedupeProperties.Part> parts) {
    List<EventKey> keys = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      String partKey = key + "[" + i + "]";
      String header = parts.get(i).header();
      String body = parts.get(i).body();
      if (header != null && body == null) {
        keys.add(header(partKey + ".header", header));
      } else if (body != null && header == null) {
        keys.add(field(partKey + ".body", body));
      } else {
        throw new SourceConfigurationException(partKey, "must be a header or a body, one of them");
      }
    }
    if (keys.isEmpty()) {
      throw new SourceConfigurationException(key, "is empty; name at least one header or body");
    }
    return new EventKey.Join(keys);
  }

  static EventKey header(String key, String name) {
    if (name.isEmpty() || !name.chars().allMatch(EventKeys::isTokenCharacter)) {
      throw new SourceConfigurationException(key, "\"" + name + "\" is not the name of a header");
    }
    return new EventKey.Header(name);
  }

  /** A character of a header's name (RFC 9110, token). */
  private static boolean isTokenCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  static EventKey field(String key, String path) {
    return new EventKey.Field(path(key, path));
  }

  static JsonField path(String key, String path) {
    try {
      return JsonField.parse(path);
    } catch (IllegalArgumentException e) {
      throw new SourceConfigurationException(
          key, "\"" + path + "\" is wrong: " + e.getMessage(), e);
    }
  }
}
