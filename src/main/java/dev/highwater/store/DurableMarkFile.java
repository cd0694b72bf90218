package dev.highwater.store;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A seq up to which everything is known to be on disk, kept outside the database: without it, a
 * database whose end was lost would look like one that is merely shorter. It may lag behind, and
 * never goes down. Any thread may call.
 */
public final class DurableMarkFile {
  private final Path path;
  private final SlotFile file;
  private long last = -1;

  public DurableMarkFile(Path path) {
    this.path = path;
    this.file = new SlotFile(path);
  }

  /**
   * The mark; 0 if none was ever written.
   *
   * @throws StoreException if the file is damaged or cannot be read
   */
  public synchronized long read() throws StoreException {
    byte[] payload = file.read();
    if (payload == null) {
      last = 0;
    } else if (payload.length == Long.BYTES) {
      last = ByteBuffer.wrap(payload).getLong();
    } else {
      throw new StoreException(path + " holds " + payload.length + " bytes and not a seq");
    }
    return last;
  }

  /**
   * Raises the mark; it is on disk when this returns. A seq that is not higher changes nothing and
   * does no I/O.
   */
  public synchronized void write(long seq) throws StoreException {
    if (last < 0) {
      read();
    }
    if (seq > last) {
      file.write(ByteBuffer.allocate(Long.BYTES).putLong(seq).array());
      last = seq;
    }
  }

  /** Forgets a mark that cannot be read, when the operator accepts the loss. */
  void discard() throws StoreException {
    file.delete();
  }
}
