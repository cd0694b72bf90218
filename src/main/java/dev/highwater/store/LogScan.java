package dev.highwater.store;

import dev.highwater.codec.Keys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads RocksDB's log past its damage, and finds holes RocksDB does not see. RocksDB gives up the
 * rest of a block of 32 KiB after a bad record, which may be hundreds of hooks, and passes silently
 * over zeros where a record should begin, over a missing file, and over the cut end of a file that
 * is not the last. Here the next record that holds is looked for byte by byte, and each batch must
 * begin with the sequence number at which the one before ended. What is found is only evidence of
 * what was promised: nothing is restored from it.
 *
 * <pre>
 * log     blocks of 32 KiB, filled with records; fewer than 7 bytes at a block's end are zero
 * record  masked CRC-32C of type and payload(4, little-endian)  length(2, little-endian)
 *         type(1): 1 whole, 2 first, 3 middle, 4 last part of a batch  payload
 * batch   sequence number(8, little-endian)  number of changes(4, little-endian)  changes
 * </pre>
 *
 * <p>A body that was made to look like a record can at most have a damaged log refused.
 */
final class LogScan {
  private static final int BLOCK = 32 * 1024;
  private static final int HEADER = 7;
  private static final int MASK_DELTA = 0xA282EAD8;
  private static final int WHOLE = 1;
  private static final int FIRST = 2;
  private static final int LAST = 4;
  private static final int LONGEST_BATCH = 64 * 1024 * 1024;
  private static final byte[] KNOWN_DURABLE = Keys.knownDurable();
  private static final byte[] NEXT_SEQ = Keys.nextSeq();

  private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
  private boolean inBatch;
  private String file = "";
  private long zerosAt;
  private String place = "";
  private long sequenceEnd = -1;
  private long nextSeq;
  private long seqBeforeHole = -1;
  private long knownDurable;

  private LogScan() {}

  /**
   * What the log says.
   *
   * @param place the first damaged place, in words to append to a message; empty if there is none
   * @param knownDurable the highest durable seq any readable group carries
   * @param seqBeforeHole the last seq before the first hole, which has readable batches after it;
   *     -1 if there is no hole
   */
  record Findings(String place, long knownDurable, long seqBeforeHole) {}

  static Findings of(Path database) throws IOException {
    var scan = new LogScan();
    try (var files = Files.list(database)) {
      List<Path> logs =
          files
              .filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
              .sorted(Comparator.comparingLong(LogScan::number))
              .toList();
      for (Path log : logs) {
        scan.read(log);
      }
    }
    return new Findings(scan.place, scan.knownDurable, scan.seqBeforeHole);
  }

  private static long number(Path log) {
    String name = log.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }

  private void read(Path log) throws IOException {
    file = log.getFileName().toString();
    zerosAt = -1;
    inBatch = false;
    try (var in = Files.newInputStream(log)) {
      long start = 0;
      byte[] block = in.readNBytes(BLOCK);
      while (block.length > 0) {
        readBlock(block, start);
        start += block.length;
        block = in.readNBytes(BLOCK);
      }
    }
  }

  private void damaged(long at) {
    if (place.isEmpty()) {
      place = " (" + file + " is damaged at byte " + at + ")";
    }
  }

  private void readBlock(byte[] block, long start) {
    var bytes = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (block.length - at >= HEADER) {
      int length = Short.toUnsignedInt(bytes.getShort(at + 4));
      int type = block[at + 6];
      if (holds(block, at, bytes.getInt(at), length, type)) {
        if (zerosAt >= 0) {
          damaged(zerosAt);
        }
        part(block, at + HEADER, length, type, start + at);
        at += HEADER + length;
        continue;
      }
      inBatch = false;
      boolean reserved = bytes.getInt(at) == 0 && length == 0 && type == 0;
      if (!reserved) {
        damaged(zerosAt >= 0 ? zerosAt : start + at);
      } else if (zerosAt < 0) {
        // The end of the log, unless something follows.
        zerosAt = start + at;
      }
      at++;
    }
  }

  private static boolean holds(byte[] block, int at, int stored, int length, int type) {
    if (type < WHOLE || type > LAST || at + HEADER + length > block.length) {
      return false;
    }
    var crc = new CRC32C();
    crc.update(block, at + 6, 1 + length);
    int value = (int) crc.getValue();
    return ((value >>> 15) | (value << 17)) + MASK_DELTA == stored;
  }

  private void part(byte[] block, int from, int length, int type, long at) {
    if (type == WHOLE || type == FIRST) {
      parts.reset();
      inBatch = true;
    }
    if (!inBatch || parts.size() > LONGEST_BATCH) {
      return;
    }
    parts.write(block, from, length);
    if (type == WHOLE || type == LAST) {
      inBatch = false;
      batch(parts.toByteArray(), at);
    }
  }

  private void batch(byte[] encoded, long at) {
    if (encoded.length < Batch.HEADER) {
      return;
    }
    var header = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    long sequence = header.getLong();
    if (sequenceEnd >= 0 && sequence != sequenceEnd && seqBeforeHole < 0) {
      seqBeforeHole = Math.max(0, nextSeq - 1);
      if (place.isEmpty()) {
        place = " (something is missing before byte " + at + " of " + file + ")";
      }
    }
    int changes = header.getInt();
    // After a repair RocksDB begins its log with an empty batch, which is no part of the count.
    sequenceEnd = changes == 0 ? -1 : sequence + changes;
    try {
      new BatchReader(encoded, Batch.HEADER, encoded.length).forEach(new Markers());
    } catch (IllegalStateException | IndexOutOfBoundsException | IllegalArgumentException e) {
      // A batch of RocksDB's own, with changes ours do not have: it carries no mark.
      return;
    }
  }

  private final class Markers implements Batch.Visitor {
    @Override
    public void put(Family family, byte[] key, byte[] value) {
      if (family != Family.DEFAULT || value.length != Long.BYTES) {
        return;
      }
      if (Arrays.equals(key, KNOWN_DURABLE)) {
        knownDurable = Math.max(knownDurable, Keys.numberOf(value));
      } else if (Arrays.equals(key, NEXT_SEQ)) {
        nextSeq = Keys.numberOf(value);
      }
    }

    @Override
    public void delete(Family family, byte[] key) {}

    @Override
    public void deleteRange(Family family, byte[] from, byte[] to) {}
  }
}
