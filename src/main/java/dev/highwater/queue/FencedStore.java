package dev.highwater.queue;

import dev.highwater.store.Batch;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import dev.highwater.store.StoreUnavailableException;

/**
 * The door for repeatable writes: shut while fenced. A write that fails here latches the fence like
 * any other.
 */
final class FencedStore implements RepeatableWrites {
  private final Store store;
  private final DurableMarks marks;

  FencedStore(Store store, DurableMarks marks) {
    this.store = store;
    this.marks = marks;
  }

  @Override
  public void write(Batch batch) throws StoreException {
    if (marks.read().fenced()) {
      throw new StoreUnavailableException("the queue is fenced");
    }
    try (StoreLease lease = store.lease()) {
      lease.write(batch);
    }
  }
}
