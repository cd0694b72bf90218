package dev.highwater.codec;

import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;
import dev.highwater.hook.Verification;
import java.time.Duration;

/**
 * The value of a hook row, format 1: at(8) id(16) tenant source method target, received-at(8),
 * verification(1), client, dedupe key and window in ms(8) (an empty key is none), sinks, headers,
 * body.
 */
public final class HookCodec {
  private static final int VERSION = 1;

  private HookCodec() {}

  /**
   * Encodes all of a hook but its seq, which is its key.
   *
   * @throws IllegalArgumentException if a field is longer than the format allows
   */
  public static byte[] encode(Hook hook) {
    var writer = new ByteWriter(sizeOf(hook.content())).u8(VERSION);
    write(writer, hook);
    return writer.doneWithChecksum();
  }

  /** Writes all fields of a hook but its seq. */
  static void write(ByteWriter writer, Hook hook) {
    var content = hook.content();
    writer
        .i64(hook.at())
        .i64(content.id().high())
        .i64(content.id().low())
        .shortText(content.source().tenant())
        .shortText(content.source().name())
        .shortText(content.method())
        .text(content.target())
        .i64(content.receivedAt())
        .u8(content.verification().code())
        .shortText(content.client());
    DedupeKey dedupe = content.dedupe();
    if (dedupe == null) {
      writer.u8(0);
    } else {
      writer.shortBytes(dedupe.bytes()).i64(dedupe.window().toMillis());
    }
    writer.u16(hook.sinkIds().length);
    for (int sinkId : hook.sinkIds()) {
      writer.i32(sinkId);
    }
    Headers headers = content.headers();
    writer.u16(headers.size());
    for (int i = 0; i < headers.size(); i++) {
      writer.text(headers.name(i)).text(headers.value(i));
    }
    writer.i32(content.body().length).raw(content.body());
  }

  /**
   * About what it takes, and seldom less: growing would have a large body in memory three times.
   */
  static int sizeOf(Hook.Content content) {
    Headers headers = content.headers();
    int size = content.body().length + content.target().length() + 512;
    for (int i = 0; i < headers.size(); i++) {
      size += 8 + headers.name(i).length() + headers.value(i).length();
    }
    return size;
  }

  /**
   * Decodes a hook row.
   *
   * @throws UnreadableValueException if it is damaged or of another format
   */
  public static Hook decode(long seq, byte[] value) {
    var reader = ByteReader.value("hook " + seq, value, VERSION);
    Hook hook = read(reader, seq);
    reader.mustEnd();
    return hook;
  }

  /** Reads what {@link #write} wrote. */
  static Hook read(ByteReader reader, long seq) {
    try {
      long at = reader.i64();
      var id = new HookId(reader.i64(), reader.i64());
      var source = new SourceRef(reader.shortText(), reader.shortText());
      String method = reader.shortText();
      String target = reader.text();
      long receivedAt = reader.i64();
      var verification = Verification.ofCode((byte) reader.u8());
      String client = reader.shortText();
      byte[] key = reader.shortBytes();
      DedupeKey dedupe =
          key.length == 0 ? null : new DedupeKey(key, Duration.ofMillis(reader.i64()));
      int[] sinkIds = new int[reader.u16()];
      for (int i = 0; i < sinkIds.length; i++) {
        sinkIds[i] = reader.i32();
      }
      String[] headers = new String[2 * reader.u16()];
      for (int i = 0; i < headers.length; i++) {
        headers[i] = reader.text();
      }
      byte[] body = reader.raw(reader.i32());
      return new Hook(
          seq,
          at,
          new Hook.Content(
              id,
              source,
              method,
              target,
              Headers.of(headers),
              body,
              receivedAt,
              verification,
              client,
              dedupe),
          sinkIds);
    } catch (IllegalArgumentException e) {
      throw new UnreadableValueException("hook " + seq + " does not decode: " + e.getMessage());
    }
  }
}
