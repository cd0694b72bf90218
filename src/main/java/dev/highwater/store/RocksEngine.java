package dev.highwater.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * One open RocksDB. Owns its native objects and frees them in the one order that is safe: handles,
 * database, options. Nobody else holds any of them, and nothing is left to a finalizer.
 */
public final class RocksEngine implements StorageEngine {
  private final Runnable afterwards;
  private final RocksOptions options;
  private final RocksDB database;
  private final List<ColumnFamilyHandle> handles;
  private final WriteOptions unsynced = new WriteOptions().setSync(false);
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private volatile boolean closed;

  RocksEngine(
      RocksOptions options,
      RocksDB database,
      List<ColumnFamilyHandle> handles,
      Runnable afterwards) {
    this.afterwards = afterwards;
    this.options = options;
    this.database = database;
    this.handles = List.copyOf(handles);
  }

  /** Opens RocksDB in the data directory. */
  public static StorageEngine.Factory factory(StoreSettings settings) {
    return new RocksOpening(settings);
  }

  static StoreException failure(String what, RocksDBException e) {
    return new StoreException(what + ": " + e.getMessage(), e);
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) throws StoreException {
    mustBeOpen();
    try {
      return database.get(handle(family), key);
    } catch (RocksDBException e) {
      throw failure("a look-up in " + family.label() + " failed", e);
    }
  }

  @Override
  public List<byte @Nullable []> multiGet(Family family, List<byte[]> keys) throws StoreException {
    mustBeOpen();
    if (keys.isEmpty()) {
      return List.of();
    }
    try {
      return new ArrayList<>(
          database.multiGetAsList(Collections.nCopies(keys.size(), handle(family)), keys));
    } catch (RocksDBException e) {
      throw failure("a look-up in " + family.label() + " failed", e);
    }
  }

  @Override
  public void write(Batch batch, boolean sync) throws StoreException {
    mustBeOpen();
    try (var rows = new WriteBatch(batch.encoded())) {
      database.write(sync ? synced : unsynced, rows);
    } catch (RocksDBException e) {
      throw failure(sync ? "a synced write failed" : "a write failed", e);
    }
  }

  @Override
  public void syncWal() throws StoreException {
    mustBeOpen();
    try {
      database.syncWal();
    } catch (RocksDBException e) {
      throw failure("a sync failed", e);
    }
  }

  @Override
  public Cursor scan(Family family, byte[] lower, byte[] upper, Direction direction)
      throws StoreException {
    mustBeOpen();
    return new RocksCursor(database, handle(family), family, lower, upper, direction);
  }

  @Override
  public EngineStats stats() {
    mustBeOpen();
    try {
      return new EngineStats(
          sum("rocksdb.size-all-mem-tables"),
          sum("rocksdb.total-sst-files-size"),
          sum("rocksdb.total-blob-file-size"),
          sum("rocksdb.live-blob-file-garbage-size"),
          database.getLongProperty("rocksdb.block-cache-usage"),
          sum("rocksdb.estimate-pending-compaction-bytes"),
          database.getLongProperty("rocksdb.num-running-flushes"),
          database.getLongProperty("rocksdb.num-running-compactions"),
          database.getLongProperty("rocksdb.is-write-stopped") != 0,
          database.getLongProperty("rocksdb.actual-delayed-write-rate"),
          database.getLongProperty("rocksdb.background-errors"));
    } catch (RocksDBException e) {
      throw new IllegalStateException("RocksDB lacks a property: " + e.getMessage(), e);
    }
  }

  private long sum(String property) throws RocksDBException {
    long sum = 0;
    for (var handle : handles) {
      sum += database.getLongProperty(handle, property);
    }
    return sum;
  }

  @Override
  public @Nullable String backgroundError() {
    String told = options.backgroundError();
    if (told != null) {
      return told;
    }
    long untold = stats().backgroundErrors();
    return untold == 0 ? null : untold + " errors of flushes or compactions";
  }

  @Override
  public void close() throws StoreException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      handles.forEach(ColumnFamilyHandle::close);
      database.closeE();
    } catch (RocksDBException e) {
      throw failure("closing the database failed", e);
    } finally {
      synced.close();
      unsynced.close();
      options.close();
      afterwards.run();
    }
  }

  private ColumnFamilyHandle handle(Family family) {
    return handles.get(family.id());
  }

  private void mustBeOpen() {
    if (closed) {
      throw new IllegalStateException("this engine is closed");
    }
  }
}
