package dev.highwater.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Builds the bytes of one key or value. Used by one thread. */
final class ByteWriter {
  private byte[] bytes;
  private int size;

  ByteWriter(int expected) {
    bytes = new byte[expected];
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
    }
  }

  ByteWriter u8(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  /** 0 to 65535. */
  ByteWriter u16(int value) {
    if (value >>> 16 != 0) {
      throw new IllegalArgumentException(value + " where at most 65535 goes");
    }
    room(2);
    bytes[size++] = (byte) (value >>> 8);
    bytes[size++] = (byte) value;
    return this;
  }

  ByteWriter i32(int value) {
    room(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  ByteWriter i64(long value) {
    room(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  ByteWriter raw(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  /** Up to 255 bytes, behind a length byte. */
  ByteWriter shortBytes(byte[] value) {
    if (value.length > 0xFF) {
      throw new IllegalArgumentException(value.length + " bytes where at most 255 go");
    }
    return u8(value.length).raw(value);
  }

  /** Text of up to 255 bytes in UTF-8, behind a length byte. */
  ByteWriter shortText(String value) {
    return shortBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Any text in UTF-8, behind a length of 4 bytes. */
  ByteWriter text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return i32(utf8.length).raw(utf8);
  }

  byte[] done() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  /** The bytes with their CRC-32C behind them. */
  byte[] doneWithChecksum() {
    var crc = new CRC32C();
    crc.update(bytes, 0, size);
    return i32((int) crc.getValue()).done();
  }
}
