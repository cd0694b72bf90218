package dev.highwater.signature;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the id of an event stands, by which its repetitions are known. */
public sealed interface EventKey {
  /** Nowhere: every hook is new. */
  record None() implements EventKey {}

  /** In a header. */
  record Header(String name) implements EventKey {}

  /** In a field of the JSON body. */
  record Field(JsonField field) implements EventKey {}

  /** In a parameter of a form body. */
  record FormField(String name) implements EventKey {
    /** Its first value, or null. Linear time, never throws. */
    public @Nullable String read(UnverifiedRequest request) {
      return FormParameters.first(request, name);
    }
  }

  /** The body as a whole, for providers that give no id. */
  record BodyHash() implements EventKey {}

  /** The same place in every item of a list, all together. */
  record EachItem(JsonItems items, EventKey key) implements EventKey {}

  /** The first of several that is there. */
  record FirstOf(List<EventKey> keys) implements EventKey {
    public FirstOf {
      keys = List.copyOf(keys);
    }
  }

  /** All of several together. */
  record Join(List<EventKey> keys) implements EventKey {
    public Join {
      keys = List.copyOf(keys);
    }
  }
}
