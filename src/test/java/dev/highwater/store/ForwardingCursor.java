package dev.highwater.store;

/** A cursor that goes as another does; for tests that watch or fail its steps. */
public class ForwardingCursor implements StorageEngine.Cursor {
  private final StorageEngine.Cursor cursor;

  protected ForwardingCursor(StorageEngine.Cursor cursor) {
    this.cursor = cursor;
  }

  @Override
  public boolean next() throws StoreException {
    return cursor.next();
  }

  @Override
  public byte[] key() {
    return cursor.key();
  }

  @Override
  public byte[] value() {
    return cursor.value();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
