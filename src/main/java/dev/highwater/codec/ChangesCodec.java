package dev.highwater.codec;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of an undo row, format 1: count(4), then per row family, key, whether there is a
 * value(1), value.
 */
public final class ChangesCodec {
  private static final int VERSION = 1;

  private ChangesCodec() {}

  /**
   * A row and the value it is to have.
   *
   * @param family by name
   * @param value null where the row is to be absent
   */
  public record Row(String family, byte[] key, byte @Nullable [] value) {}

  public static byte[] encode(List<Row> rows) {
    var writer = new ByteWriter(256).u8(VERSION).i32(rows.size());
    for (Row row : rows) {
      byte[] value = row.value();
      writer.shortText(row.family()).i32(row.key().length).raw(row.key());
      if (value == null) {
        writer.u8(0);
      } else {
        writer.u8(1).i32(value.length).raw(value);
      }
    }
    return writer.doneWithChecksum();
  }

  /**
   * Decodes an undo row.
   *
   * @throws UnreadableValueException if it is damaged or of another format
   */
  public static List<Row> decode(String what, byte[] bytes) {
    var reader = ByteReader.value(what, bytes, VERSION);
    int count = reader.i32();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String family = reader.shortText();
      byte[] key = reader.raw(reader.i32());
      byte[] value = reader.u8() == 0 ? null : reader.raw(reader.i32());
      rows.add(new Row(family, key, value));
    }
    reader.mustEnd();
    return rows;
  }
}
