package dev.highwater.pen;

import dev.highwater.codec.Keys.PenRow;
import java.util.List;
import java.util.OptionalLong;

/**
 * Some of what waits of one source, the newest first.
 *
 * @param rows without bodies and headers (G12)
 * @param next the seq below which the next page begins, where there may be one
 */
public record PenPage(List<PenRow> rows, OptionalLong next) {
  public PenPage {
    rows = List.copyOf(rows);
  }
}
