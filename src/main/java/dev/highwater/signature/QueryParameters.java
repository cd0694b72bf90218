package dev.highwater.signature;

import java.util.ArrayList;
import java.util.List;

/** The parameters in the query of a request target. */
final class QueryParameters {
  private QueryParameters() {}

  /** Every value of that name, in order; a parameter without a {@code =} has none. */
  static List<String> all(String target, String name) {
    List<String> values = new ArrayList<>(1);
    int query = target.indexOf('?');
    for (int at = query + 1; query >= 0 && at < target.length(); ) {
      int end = target.indexOf('&', at);
      end = end < 0 ? target.length() : end;
      int equals = target.indexOf('=', at, end);
      if (equals >= 0 && PercentText.decode(target.substring(at, equals), false).equals(name)) {
        values.add(PercentText.decode(target.substring(equals + 1, end), false));
      }
      at = end + 1;
    }
    return values;
  }
}
