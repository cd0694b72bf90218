package dev.highwater.signature;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where in a request the signature stands. */
public sealed interface SignaturePlace {

  /** In one header, which may come once. */
  record Header(String name) implements SignaturePlace {}

  /**
   * In several headers, one signature each; each of them may come once.
   *
   * @param names all of them; not all need to be there
   */
  record Headers(List<String> names) implements SignaturePlace {
    public Headers {
      names = List.copyOf(names);
    }
  }

  /** In a parameter of the query, which may come once. */
  record Query(String name) implements SignaturePlace {}

  /** In a field of the JSON body. */
  record Field(JsonField field) implements SignaturePlace {}

  /**
   * What stands there.
   *
   * @return no texts where there is no signature; null where one that may come once came twice
   */
  default @Nullable List<String> texts(UnverifiedRequest request) {
    return switch (this) {
      case Header(String name) -> once(request.headers().all(name));
      case Headers(List<String> names) -> {
        List<String> texts = new ArrayList<>();
        for (String name : names) {
          List<String> values = request.headers().all(name);
          if (values.size() > 1) {
            yield null;
          }
          texts.addAll(values);
        }
        yield texts;
      }
      case Query(String name) -> once(QueryParameters.all(request.target(), name));
      case Field(JsonField field) -> {
        String text = field.read(request.body());
        yield text == null ? List.of() : List.of(text);
      }
    };
  }

  private static @Nullable List<String> once(List<String> values) {
    return values.size() > 1 ? null : values;
  }
}
