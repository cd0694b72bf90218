package dev.highwater.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The right to use the open database for a short while. The database is not closed or reopened
 * while a lease is out, so hold it for one piece of work, never across a wait, and never take a
 * second one on the same thread.
 *
 * <p>A write or sync that fails is reported before it throws, so that the fence is latched whoever
 * wrote.
 */
public interface StoreLease extends AutoCloseable {
  byte @Nullable [] get(Family family, byte[] key) throws StoreException;

  List<byte @Nullable []> multiGet(Family family, List<byte[]> keys) throws StoreException;

  /** Applies a batch; every reader sees it, it is not yet on disk. */
  void write(Batch batch) throws StoreException;

  /**
   * Applies a batch and waits for the disk. Only at the start and in the clean-up of a fence: it
   * stops every other writer.
   */
  void writeSynced(Batch batch) throws StoreException;

  /** Makes durable everything whose write had returned. */
  void syncWal() throws StoreException;

  /** A cursor over {@code [lower, upper)}; close it before the lease. */
  StorageEngine.Cursor scan(
      Family family, byte[] lower, byte[] upper, StorageEngine.Direction direction)
      throws StoreException;

  @Override
  void close();
}
