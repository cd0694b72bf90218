package dev.highwater.signature;

import java.util.List;

/** Where the id of an event stands, by which its repetitions are known. */
public sealed interface EventKey {
  /** Nowhere: every hook is new. */
  record None() implements EventKey {}

  /** In a header. */
  record Header(String name) implements EventKey {}

  /** In a field of the JSON body. */
  record Field(JsonField field) implements EventKey {}

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
