package dev.highwater.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One lease. Whatever is done with it after it was returned, or with a cursor that outlived it, is
 * stopped here: below, it would end the process.
 */
final class Lease implements StoreLease {
  private final StoreService service;
  private final StorageEngine engine;
  private final Thread holder = Thread.currentThread();
  private final AtomicBoolean returned = new AtomicBoolean();
  private @Nullable List<LeasedCursor> cursors;

  Lease(StoreService service, StorageEngine engine) {
    this.service = service;
    this.engine = engine;
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) throws StoreException {
    mustBeHeld();
    return engine.get(family, key);
  }

  @Override
  public List<byte @Nullable []> multiGet(Family family, List<byte[]> keys) throws StoreException {
    mustBeHeld();
    return engine.multiGet(family, keys);
  }

  @Override
  public void write(Batch batch) throws StoreException {
    attempt(() -> engine.write(batch, false));
  }

  @Override
  public void writeSynced(Batch batch) throws StoreException {
    attempt(() -> engine.write(batch, true));
  }

  @Override
  public void syncWal() throws StoreException {
    attempt(engine::syncWal);
  }

  private interface Change {
    void make() throws StoreException;
  }

  /** Whatever a write throws leaves it unknown what is on disk, so all of it is reported. */
  private void attempt(Change change) throws StoreException {
    mustBeHeld();
    try {
      change.make();
    } catch (StoreException e) {
      service.writeFailed(e);
      throw e;
    } catch (RuntimeException | Error e) {
      var failure = new StoreException("a write failed unexpectedly: " + e, e);
      service.writeFailed(failure);
      throw failure;
    }
    service.written();
  }

  @Override
  public StorageEngine.Cursor scan(
      Family family, byte[] lower, byte[] upper, StorageEngine.Direction direction)
      throws StoreException {
    mustBeHeld();
    var cursor = new LeasedCursor(engine.scan(family, lower, upper, direction));
    if (cursors == null) {
      cursors = new ArrayList<>(2);
    }
    cursors.add(cursor);
    return cursor;
  }

  @Override
  public void close() {
    if (!returned.compareAndSet(false, true)) {
      throw new IllegalStateException("this lease was returned before");
    }
    int left = 0;
    try {
      if (cursors != null) {
        left = cursors.size();
        for (var cursor : List.copyOf(cursors)) {
          cursor.close();
        }
      }
    } finally {
      service.returned(holder);
    }
    if (left > 0) {
      throw new IllegalStateException(
          left + " cursors were still open when their lease was returned");
    }
  }

  private void mustBeHeld() {
    if (returned.get()) {
      throw new IllegalStateException("this lease was returned; the store may be closed");
    }
  }

  private final class LeasedCursor implements StorageEngine.Cursor {
    private final StorageEngine.Cursor cursor;
    private boolean closed;

    LeasedCursor(StorageEngine.Cursor cursor) {
      this.cursor = cursor;
    }

    @Override
    public boolean next() throws StoreException {
      mustBeOpen();
      return cursor.next();
    }

    @Override
    public byte[] key() {
      mustBeOpen();
      return cursor.key();
    }

    @Override
    public byte[] value() {
      mustBeOpen();
      return cursor.value();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        if (cursors != null) {
          cursors.remove(this);
        }
        cursor.close();
      }
    }

    private void mustBeOpen() {
      if (closed) {
        throw new IllegalStateException("this cursor is closed");
      }
    }
  }
}
