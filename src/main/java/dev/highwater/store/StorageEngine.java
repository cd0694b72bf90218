package dev.highwater.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The seam to the disk: one open database. The product has one implementation, over RocksDB; tests
 * put others around it that hold, slow and fail what the disk does.
 *
 * <p>Any thread may call; {@link #close} only when no other call is running and no cursor is open,
 * which {@link StoreService} sees to.
 */
public interface StorageEngine {

  /** The value of {@code key}, or null. */
  byte @Nullable [] get(Family family, byte[] key) throws StoreException;

  /** The values of {@code keys}, null where there is none, in their order. */
  List<byte @Nullable []> multiGet(Family family, List<byte[]> keys) throws StoreException;

  /**
   * Applies a batch: every reader sees it when this returns. With {@code sync} it is also on disk,
   * with everything before it.
   */
  void write(Batch batch, boolean sync) throws StoreException;

  /**
   * Makes durable everything whose {@link #write} had returned before this was called. Does not
   * hold up writes.
   */
  void syncWal() throws StoreException;

  /** A cursor over the keys from {@code lower} up to but without {@code upper}. */
  Cursor scan(Family family, byte[] lower, byte[] upper, Direction direction) throws StoreException;

  /** What the database says of itself; zeros where it cannot. */
  default EngineStats stats() {
    return EngineStats.NONE;
  }

  /** What failed in the background since the opening, or null. Such a failure is final. */
  default @Nullable String backgroundError() {
    return null;
  }

  /** Closes the database. A failure leaves it closed as well. */
  void close() throws StoreException;

  /** Which way a cursor goes. */
  enum Direction {
    FORWARD,
    BACKWARD
  }

  /** Goes over keys in order. Used by one thread. Sees the store as it was when it was opened. */
  interface Cursor extends AutoCloseable {
    /**
     * Moves to the next key.
     *
     * @return false at the end
     * @throws StoreException if the scan ended for any other reason: never taken for the end (G8)
     */
    boolean next() throws StoreException;

    byte[] key();

    byte[] value();

    @Override
    void close();
  }

  /** Opens a database; called again for every reopening. */
  interface Factory {
    /**
     * Opens the database in the data directory.
     *
     * @throws StoreException if it cannot be opened, is damaged, or is of a newer format; the
     *     message names the file
     */
    StorageEngine open() throws StoreException;

    /**
     * Keeps the data directory this process's own from now on, also between the closing of one
     * engine and the opening of the next: another process that got in there would find a store that
     * is still being settled, and give its seqs again.
     *
     * @throws StoreException if another process has it
     */
    default Hold hold() throws StoreException {
      return () -> {};
    }
  }

  /** The right to a data directory. */
  interface Hold {
    /** Gives the directory back, after the last engine was closed. */
    void release();
  }
}
