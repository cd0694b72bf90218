package dev.highwater.store;

import java.util.Arrays;

/** Reads the encoded changes of a {@link Batch} back. */
final class BatchReader {
  private final byte[] bytes;
  private final int end;
  private int at;

  BatchReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  void forEach(Batch.Visitor visitor) {
    while (at < end) {
      byte tag = bytes[at++];
      switch (tag) {
        case Batch.PUT -> visitor.put(Family.DEFAULT, slice(), slice());
        case Batch.FAMILY_PUT -> visitor.put(family(), slice(), slice());
        case Batch.DELETE -> visitor.delete(Family.DEFAULT, slice());
        case Batch.FAMILY_DELETE -> visitor.delete(family(), slice());
        case Batch.DELETE_RANGE -> visitor.deleteRange(Family.DEFAULT, slice(), slice());
        case Batch.FAMILY_DELETE_RANGE -> visitor.deleteRange(family(), slice(), slice());
        default -> throw new IllegalStateException("a batch has no change of the kind " + tag);
      }
    }
  }

  private Family family() {
    return Family.ofId(varint());
  }

  private byte[] slice() {
    int length = varint();
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  private int varint() {
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      byte next = bytes[at++];
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalStateException("a length in a batch is too long");
  }
}
