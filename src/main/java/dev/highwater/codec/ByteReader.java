package dev.highwater.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads what {@link ByteWriter} wrote and says what is wrong when it cannot. Used by one thread.
 */
final class ByteReader {
  private final String what;
  private final byte[] bytes;
  private final int end;
  private int at;

  private ByteReader(String what, byte[] bytes, int end) {
    this.what = what;
    this.bytes = bytes;
    this.end = end;
  }

  static ByteReader key(String what, byte[] bytes) {
    return new ByteReader(what, bytes, bytes.length);
  }

  /** Checks the checksum and the version before anything is read. */
  static ByteReader value(String what, byte[] bytes, int version) {
    if (bytes.length < 5) {
      throw new UnreadableValueException(what + " has only " + bytes.length + " bytes");
    }
    int end = bytes.length - 4;
    var crc = new CRC32C();
    crc.update(bytes, 0, end);
    var stored = new ByteReader(what, bytes, bytes.length);
    stored.at = end;
    if (stored.i32() != (int) crc.getValue()) {
      throw new UnreadableValueException(what + " is damaged: its checksum does not match");
    }
    var reader = new ByteReader(what, bytes, end);
    int found = reader.u8();
    if (found != version) {
      throw new UnreadableValueException(
          what + " is of format " + found + ", this program reads " + version);
    }
    return reader;
  }

  private void need(int more) {
    if (more < 0 || end - at < more) {
      throw new UnreadableValueException(what + " ends early");
    }
  }

  int u8() {
    need(1);
    return bytes[at++] & 0xFF;
  }

  int u16() {
    return (u8() << 8) | u8();
  }

  int i32() {
    need(4);
    int value = 0;
    for (int i = 0; i < 4; i++) {
      value = (value << 8) | (bytes[at++] & 0xFF);
    }
    return value;
  }

  long i64() {
    return ((long) i32() << 32) | (i32() & 0xFFFFFFFFL);
  }

  byte[] raw(int length) {
    need(length);
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  byte[] shortBytes() {
    return raw(u8());
  }

  String shortText() {
    int length = u8();
    return textOf(length);
  }

  String text() {
    return textOf(i32());
  }

  private String textOf(int length) {
    need(length);
    var value = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return value;
  }

  boolean atEnd() {
    return at == end;
  }

  void mustEnd() {
    if (!atEnd()) {
      throw new UnreadableValueException(what + " has " + (end - at) + " bytes too many");
    }
  }
}
