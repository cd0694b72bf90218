package dev.highwater.codec;

import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.PenEntry;

/**
 * The value of a row of the pen, format 1: seq(8), bytes(8), reason, then the fields of a hook as
 * {@link HookCodec} writes them.
 */
public final class PenCodec {
  private static final int VERSION = 1;

  private PenCodec() {}

  /**
   * What a request counts for in the pen: all of its text, its body, and half a KiB for the rest of
   * its rows, so that a bound in bytes bounds the rows as well (G13). Follows from the request
   * alone.
   */
  public static long sizeOf(Hook.Content content) {
    return HookCodec.sizeOf(content);
  }

  /**
   * Encodes an entry.
   *
   * @throws IllegalArgumentException if a field is longer than the format allows
   */
  public static byte[] encode(PenEntry entry) {
    var writer =
        new ByteWriter(HookCodec.sizeOf(entry.held().content()) + 64)
            .u8(VERSION)
            .i64(entry.seq())
            .i64(entry.bytes())
            .shortText(entry.reason());
    HookCodec.write(writer, entry.held());
    return writer.doneWithChecksum();
  }

  /**
   * Decodes a row of the pen.
   *
   * @throws UnreadableValueException if it is damaged or of another format
   */
  public static PenEntry decode(HookId id, byte[] value) {
    var reader = ByteReader.value("quarantined request " + id, value, VERSION);
    long seq = reader.i64();
    long bytes = reader.i64();
    String reason = reader.shortText();
    var entry = new PenEntry(HookCodec.read(reader, seq), reason, bytes);
    reader.mustEnd();
    return entry;
  }
}
