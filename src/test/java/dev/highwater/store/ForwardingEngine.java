package dev.highwater.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An engine that does what another does; for tests that change one thing. */
class ForwardingEngine implements StorageEngine {
  private final StorageEngine engine;

  ForwardingEngine(StorageEngine engine) {
    this.engine = engine;
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) throws StoreException {
    return engine.get(family, key);
  }

  @Override
  public List<byte @Nullable []> multiGet(Family family, List<byte[]> keys) throws StoreException {
    return engine.multiGet(family, keys);
  }

  @Override
  public void write(Batch batch, boolean sync) throws StoreException {
    engine.write(batch, sync);
  }

  @Override
  public void syncWal() throws StoreException {
    engine.syncWal();
  }

  @Override
  public Cursor scan(Family family, byte[] lower, byte[] upper, Direction direction)
      throws StoreException {
    return engine.scan(family, lower, upper, direction);
  }

  @Override
  public EngineStats stats() {
    return engine.stats();
  }

  @Override
  public @Nullable String backgroundError() {
    return engine.backgroundError();
  }

  @Override
  public void close() throws StoreException {
    engine.close();
  }
}
