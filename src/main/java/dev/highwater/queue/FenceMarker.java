package dev.highwater.queue;

import dev.highwater.codec.UnreadableValueException;
import dev.highwater.store.SlotFile;
import dev.highwater.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code FENCED} beside the store: the range of seqs that were handed to a write and never
 * acked. A start that finds a range removes their rows before anything is served, so a hook that
 * was answered with an error before a crash is not delivered after it (G5). Because it is a range,
 * a stale one that reappears after a power cut harms nothing: later hooks have higher seqs.
 *
 * <p>The file is allocated at the start, so writing it needs no space on a full disk.
 */
final class FenceMarker {
  /** The seqs that were never acked, both ends included; empty when {@code from > to}. */
  record Range(long from, long to) {
    static final Range NONE = new Range(1, 0);

    boolean isEmpty() {
      return from > to;
    }

    boolean contains(long seq) {
      return seq >= from && seq <= to;
    }
  }

  private final Path path;
  private @Nullable SlotFile file;

  FenceMarker(Path path) {
    this.path = path;
  }

  /**
   * Opens the file, or creates it, and reads the range.
   *
   * @throws StoreException if it cannot be read or is damaged: then it is not known what was never
   *     acked (G8)
   */
  synchronized Range open() throws StoreException {
    var opened = new SlotFile(path);
    byte[] stored = opened.read();
    file = opened;
    if (stored == null) {
      opened.write(encode(Range.NONE));
      return Range.NONE;
    }
    if (stored.length != 2 * Long.BYTES) {
      throw new UnreadableValueException(path + " does not hold a range of seqs");
    }
    var buffer = ByteBuffer.wrap(stored);
    return new Range(buffer.getLong(), buffer.getLong());
  }

  /** Writes the range; it is on disk when this returns. */
  synchronized void write(Range range) throws StoreException {
    SlotFile opened = file;
    if (opened == null) {
      throw new IllegalStateException(path + " is not open");
    }
    opened.write(encode(range));
  }

  /** Says that nothing is left to remove. */
  void clear() throws StoreException {
    write(Range.NONE);
  }

  private static byte[] encode(Range range) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(range.from()).putLong(range.to()).array();
  }
}
