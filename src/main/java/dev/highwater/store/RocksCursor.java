package dev.highwater.store;

import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** A RocksDB iterator with the bounds it needs, which must outlive it. */
final class RocksCursor implements StorageEngine.Cursor {
  private final Slice lower;
  private final Slice upper;
  private final ReadOptions options;
  private final RocksIterator rows;
  private final StorageEngine.Direction direction;
  private final Family family;
  private boolean begun;

  RocksCursor(
      RocksDB database,
      ColumnFamilyHandle handle,
      Family family,
      byte[] from,
      byte[] to,
      StorageEngine.Direction direction) {
    this.family = family;
    this.direction = direction;
    lower = new Slice(from);
    upper = new Slice(to);
    options =
        new ReadOptions()
            .setIterateLowerBound(lower)
            .setIterateUpperBound(upper)
            .setTotalOrderSeek(true);
    rows = database.newIterator(handle, options);
  }

  @Override
  public boolean next() throws StoreException {
    switch (direction) {
      case FORWARD -> {
        if (begun) {
          rows.next();
        } else {
          rows.seekToFirst();
        }
      }
      case BACKWARD -> {
        if (begun) {
          rows.prev();
        } else {
          rows.seekToLast();
        }
      }
    }
    begun = true;
    if (rows.isValid()) {
      return true;
    }
    try {
      rows.status();
    } catch (RocksDBException e) {
      throw RocksEngine.failure("a scan of " + family.label() + " failed", e);
    }
    return false;
  }

  @Override
  public byte[] key() {
    mustBeOnRow();
    return rows.key();
  }

  @Override
  public byte[] value() {
    mustBeOnRow();
    return rows.value();
  }

  private void mustBeOnRow() {
    if (!begun || !rows.isValid()) {
      throw new IllegalStateException("the cursor is not on a row");
    }
  }

  @Override
  public void close() {
    rows.close();
    options.close();
    upper.close();
    lower.close();
  }
}
