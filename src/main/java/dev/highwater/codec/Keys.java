package dev.highwater.codec;

import dev.highwater.hook.HookId;
import dev.highwater.hook.PenEntry;
import dev.highwater.hook.SourceRef;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Every key of the store. The first byte of a key in the index family is its kind.
 *
 * <pre>
 * default      m:next_seq  m:last_at  m:format  m:durable  m:next_sink    markers
 *              k tenant source sink                       sink id, by name
 *              n seq(8)                                   undo of the commands of one group
 * hooks        seq(8)                                     hook
 * deliveries   seq(8) sink(4)                             delivery
 * index        d sink(4) at(8) seq(8)                     due
 *              x sink(4) at(8) seq(8)                     dead
 *              a seq(8)                                   archive obligation
 *              i id(16)                                   seq of a hook, by id
 *              u tenant source key                        dedupe
 *              e at(8) and the dedupe key                 dedupe expiry
 *              q tenant source seq(8) id(16) bytes(8) why pen, by source; no value
 * quarantine   received-at(8) id(16)                      pen
 * </pre>
 */
public final class Keys {
  public static final byte DUE = 'd';
  public static final byte DEAD = 'x';
  public static final byte BY_ID = 'i';
  public static final byte DEDUPE = 'u';
  public static final byte DEDUPE_EXPIRY = 'e';
  public static final byte PEN = 'q';

  /** In the default family; the others are in the index. */
  public static final byte SINK_BY_NAME = 'k';

  private static final byte UNDO = 'n';

  private Keys() {}

  /** The next seq that has never been used; 8 bytes. */
  public static byte[] nextSeq() {
    return ascii("m:next_seq");
  }

  /** The last stamp that was given; 8 bytes. */
  public static byte[] lastAt() {
    return ascii("m:last_at");
  }

  /** The version of the store's layout; 8 bytes. */
  public static byte[] format() {
    return ascii("m:format");
  }

  /** The durable seq that was known when the newest group was written; 8 bytes. */
  public static byte[] knownDurable() {
    return ascii("m:durable");
  }

  /** The next sink id that has never been used; 8 bytes. */
  public static byte[] nextSink() {
    return ascii("m:next_sink");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The id of a sink by its names; the value is 8 bytes. */
  public static byte[] sink(SourceRef source, String sink) {
    return new ByteWriter(64)
        .u8(SINK_BY_NAME)
        .shortText(source.tenant())
        .shortText(source.name())
        .shortText(sink)
        .done();
  }

  /** The names in a key that {@link #sink} made. */
  public record SinkName(SourceRef source, String sink) {
    @Override
    public String toString() {
      return source + "/" + sink;
    }
  }

  /**
   * Reads a key that {@link #sink} made.
   *
   * @throws UnreadableValueException if it is not one
   */
  public static SinkName sinkNameOf(byte[] key) {
    var reader = ByteReader.key("the key of a sink", key);
    if (reader.u8() != SINK_BY_NAME) {
      throw new UnreadableValueException("the key of a sink begins with another kind");
    }
    try {
      var name =
          new SinkName(new SourceRef(reader.shortText(), reader.shortText()), reader.shortText());
      reader.mustEnd();
      return name;
    } catch (IllegalArgumentException e) {
      throw new UnreadableValueException("the key of a sink does not decode: " + e.getMessage());
    }
  }

  /** What undoes the commands of the group with that seq. */
  public static byte[] undo(long seq) {
    return new ByteWriter(9).u8(UNDO).i64(seq).done();
  }

  /** The seq in a key that {@link #undo} made. */
  public static long seqOfUndo(byte[] key) {
    var reader = ByteReader.key("an undo key", key);
    reader.u8();
    long seq = reader.i64();
    reader.mustEnd();
    return seq;
  }

  public static byte[] hook(long seq) {
    return new ByteWriter(8).i64(seq).done();
  }

  /** The seq of a hook key. */
  public static long seqOfHook(byte[] key) {
    var reader = ByteReader.key("a hook key", key);
    long seq = reader.i64();
    reader.mustEnd();
    return seq;
  }

  public static byte[] delivery(long seq, int sinkId) {
    return new ByteWriter(12).i64(seq).i32(sinkId).done();
  }

  /** The seq in a key that {@link #delivery} made. */
  public static long seqOfDelivery(byte[] key) {
    var reader = ByteReader.key("a delivery key", key);
    long seq = reader.i64();
    reader.i32();
    reader.mustEnd();
    return seq;
  }

  /** What a due or dead key says. */
  public record Position(int sinkId, long at, long seq) {}

  public static byte[] due(int sinkId, long at, long seq) {
    return position(DUE, sinkId, at, seq);
  }

  public static byte[] dead(int sinkId, long at, long seq) {
    return position(DEAD, sinkId, at, seq);
  }

  private static byte[] position(byte kind, int sinkId, long at, long seq) {
    return new ByteWriter(21).u8(kind).i32(sinkId).i64(at).i64(seq).done();
  }

  /** Reads a key that {@link #due} or {@link #dead} made. */
  public static Position positionOf(byte[] key) {
    var reader = ByteReader.key("a due or dead key", key);
    int kind = reader.u8();
    if (kind != DUE && kind != DEAD) {
      throw new UnreadableValueException("a due or dead key begins with " + kind);
    }
    var position = new Position(reader.i32(), reader.i64(), reader.i64());
    reader.mustEnd();
    return position;
  }

  public static byte[] byId(HookId id) {
    return new ByteWriter(17).u8(BY_ID).i64(id.high()).i64(id.low()).done();
  }

  public static byte[] dedupe(SourceRef source, byte[] key) {
    return new ByteWriter(96)
        .u8(DEDUPE)
        .shortText(source.tenant())
        .shortText(source.name())
        .shortBytes(key)
        .done();
  }

  /**
   * The expiry of a dedupe key.
   *
   * @param at the stamp at which it expires
   * @param dedupeKey as {@link #dedupe} made it
   */
  public static byte[] dedupeExpiry(long at, byte[] dedupeKey) {
    return new ByteWriter(9 + dedupeKey.length).u8(DEDUPE_EXPIRY).i64(at).raw(dedupeKey).done();
  }

  /** The stamp in a key that {@link #dedupeExpiry} made. */
  public static long expiresAtOf(byte[] expiryKey) {
    var reader = ByteReader.key("a dedupe expiry key", expiryKey);
    reader.u8();
    return reader.i64();
  }

  /** The dedupe key in a key that {@link #dedupeExpiry} made. */
  public static byte[] dedupeKeyOf(byte[] expiryKey) {
    if (expiryKey.length < 10) {
      throw new UnreadableValueException("a dedupe expiry key ends early");
    }
    return Arrays.copyOfRange(expiryKey, 9, expiryKey.length);
  }

  /** What waits in the pen under that id. An id says when its request arrived. */
  public static byte[] pen(HookId id) {
    return new ByteWriter(24).i64(id.unixMillis()).i64(id.high()).i64(id.low()).done();
  }

  /**
   * What the pen tells of an entry without reading it: all of it stands in the key, so that it is
   * listed, counted and removed also where the entry itself is damaged.
   *
   * @param reason why it failed verification
   * @param bytes what it counts for
   */
  public record PenRow(SourceRef source, long seq, HookId id, long bytes, String reason) {
    public static PenRow of(PenEntry entry) {
      return new PenRow(entry.source(), entry.seq(), entry.id(), entry.bytes(), entry.reason());
    }
  }

  public static byte[] penRow(PenRow row) {
    return penRows(row.source())
        .i64(row.seq())
        .i64(row.id().high())
        .i64(row.id().low())
        .i64(row.bytes())
        .shortText(row.reason())
        .done();
  }

  /** The smallest key of a row of that source in the pen whose seq is at least that. */
  public static byte[] penRowsFrom(SourceRef source, long seq) {
    return penRows(source).i64(seq).done();
  }

  private static ByteWriter penRows(SourceRef source) {
    return new ByteWriter(128).u8(PEN).shortText(source.tenant()).shortText(source.name());
  }

  /**
   * Reads a key that {@link #penRow} made.
   *
   * @throws UnreadableValueException if it is not one
   */
  public static PenRow penRowOf(byte[] key) {
    var reader = ByteReader.key("a row of the pen", key);
    if (reader.u8() != PEN) {
      throw new UnreadableValueException("a row of the pen begins with another kind");
    }
    try {
      var row =
          new PenRow(
              new SourceRef(reader.shortText(), reader.shortText()),
              reader.i64(),
              new HookId(reader.i64(), reader.i64()),
              reader.i64(),
              reader.shortText());
      reader.mustEnd();
      return row;
    } catch (IllegalArgumentException e) {
      throw new UnreadableValueException("a row of the pen does not decode: " + e.getMessage());
    }
  }

  /** The smallest key of that kind. */
  public static byte[] first(byte kind) {
    return new byte[] {kind};
  }

  /** The smallest key above every key of that kind. */
  public static byte[] after(byte kind) {
    return new byte[] {(byte) (kind + 1)};
  }

  /** A marker's or an id's value. */
  public static byte[] number(long value) {
    return new ByteWriter(8).i64(value).done();
  }

  /**
   * Reads a value that {@link #number} made.
   *
   * @throws UnreadableValueException if it does not have 8 bytes
   */
  public static long numberOf(byte[] value) {
    var reader = ByteReader.key("a number", value);
    long number = reader.i64();
    reader.mustEnd();
    return number;
  }
}
