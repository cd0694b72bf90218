package dev.highwater.codec;

import dev.highwater.hook.HookId;
import org.jspecify.annotations.Nullable;

/**
 * The value of a dedupe row, format 1.
 *
 * @param expiresAt the stamp from which the key is free again
 * @param seq of the original
 * @param id of the original
 */
public record DedupeValue(long expiresAt, long seq, HookId id) {
  private static final int VERSION = 1;

  public byte[] encode() {
    return new ByteWriter(37)
        .u8(VERSION)
        .i64(expiresAt)
        .i64(seq)
        .i64(id.high())
        .i64(id.low())
        .doneWithChecksum();
  }

  /** Decodes a row; one that does not decode is treated as absent, so that it is overwritten. */
  public static @Nullable DedupeValue decodeOrNull(byte @Nullable [] value) {
    if (value == null) {
      return null;
    }
    try {
      var reader = ByteReader.value("dedupe row", value, VERSION);
      var decoded =
          new DedupeValue(reader.i64(), reader.i64(), new HookId(reader.i64(), reader.i64()));
      reader.mustEnd();
      return decoded;
    } catch (UnreadableValueException e) {
      return null;
    }
  }
}
