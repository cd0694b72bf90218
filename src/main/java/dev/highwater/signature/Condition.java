package dev.highwater.signature;

import java.util.List;

/** What else a request has, where the place of its signature does not tell two schemes apart. */
public sealed interface Condition {

  /** Nothing else. */
  record Always() implements Condition {}

  /** A header that is there once and says exactly this. */
  record HeaderIs(String name, String value) implements Condition {}

  /** A parameter of the query, with whatever value. */
  record HasParameter(String name) implements Condition {}

  /** Whether that request has it. */
  default boolean holds(UnverifiedRequest request) {
    return switch (this) {
      case Always() -> true;
      case HeaderIs(String name, String value) ->
          request.headers().all(name).equals(List.of(value));
      case HasParameter(String name) -> !QueryParameters.all(request.target(), name).isEmpty();
    };
  }
}
