package dev.highwater.queue;

import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import dev.highwater.store.StoreUnavailableException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A store that takes nothing and gives nothing, and counts its openings. */
final class NoStore implements Store {
  private final AtomicLong generation = new AtomicLong(1);

  @Override
  public StoreLease lease() throws StoreUnavailableException {
    throw new StoreUnavailableException("nothing is stored here");
  }

  @Override
  public void onWriteFailure(Consumer<StoreException> listener) {}

  /** Done at once. */
  @Override
  public void reopen() {
    generation.incrementAndGet();
  }

  @Override
  public void onTick(Runnable callback) {}

  @Override
  public long generation() {
    return generation.get();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean hasRoom() {
    return true;
  }
}
