package dev.highwater.store;

import java.util.Arrays;

/**
 * Changes that are applied together or not at all. Encoded here as RocksDB's own write batch, so
 * that a whole group crosses into native code in one call.
 *
 * <p>Layout: sequence(8, zero), count(4, little-endian), then per change a tag, the family where it
 * is not the default one, and length-prefixed key and value. Used by one thread at a time.
 */
public final class Batch {
  static final int HEADER = 12;
  static final byte DELETE = 0x0;
  static final byte PUT = 0x1;
  static final byte FAMILY_DELETE = 0x4;
  static final byte FAMILY_PUT = 0x5;
  static final byte FAMILY_DELETE_RANGE = 0xE;
  static final byte DELETE_RANGE = 0xF;

  private byte[] bytes;
  private int size = HEADER;
  private int count;

  public Batch() {
    this(4096);
  }

  /** A batch with room for that many bytes before it grows. */
  public Batch(int expectedBytes) {
    bytes = new byte[Math.max(HEADER, expectedBytes)];
  }

  public void put(Family family, byte[] key, byte[] value) {
    tag(family, PUT, FAMILY_PUT, key.length + value.length);
    slice(key);
    slice(value);
  }

  public void delete(Family family, byte[] key) {
    tag(family, DELETE, FAMILY_DELETE, key.length);
    slice(key);
  }

  /** Deletes every key from {@code from} up to but without {@code to}. */
  public void deleteRange(Family family, byte[] from, byte[] to) {
    tag(family, DELETE_RANGE, FAMILY_DELETE_RANGE, from.length + to.length);
    slice(from);
    slice(to);
  }

  /**
   * Makes room for about that many more bytes at once. Growing step by step would have large values
   * in memory three times.
   */
  public void reserve(long moreBytes) {
    room((int) Math.min(moreBytes, Integer.MAX_VALUE - 8 - size));
  }

  /** How many changes it holds. */
  public int count() {
    return count;
  }

  /** How many bytes it will take in the log. */
  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** Forgets all changes and keeps the memory. */
  public void clear() {
    size = HEADER;
    count = 0;
  }

  /** Calls the visitor with each change, in order. */
  public void forEach(Visitor visitor) {
    var reader = new BatchReader(bytes, HEADER, size);
    reader.forEach(visitor);
  }

  /** Sees the changes of a batch. */
  public interface Visitor {
    void put(Family family, byte[] key, byte[] value);

    void delete(Family family, byte[] key);

    void deleteRange(Family family, byte[] from, byte[] to);
  }

  /** The encoded form, without spare room. */
  byte[] encoded() {
    bytes[8] = (byte) count;
    bytes[9] = (byte) (count >>> 8);
    bytes[10] = (byte) (count >>> 16);
    bytes[11] = (byte) (count >>> 24);
    return Arrays.copyOf(bytes, size);
  }

  private void tag(Family family, byte plain, byte withFamily, int payload) {
    room(Math.addExact(payload, 16));
    if (family == Family.DEFAULT) {
      bytes[size++] = plain;
    } else {
      bytes[size++] = withFamily;
      varint(family.id());
    }
    count++;
  }

  private void slice(byte[] data) {
    varint(data.length);
    System.arraycopy(data, 0, bytes, size, data.length);
    size += data.length;
  }

  private void varint(int value) {
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void room(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, Math.max(needed, (int) Math.min(Integer.MAX_VALUE - 8, 2L * bytes.length)));
    }
  }
}
