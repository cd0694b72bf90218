package dev.highwater.dispatch;

import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.ForwardingCursor;
import dev.highwater.store.SimulatedEngine;
import dev.highwater.store.StorageEngine;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import dev.highwater.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that counts what a cursor walks and refuses what a test wants refused. What is
 * deleted from the index is walked over for ever: nothing is compacted.
 */
final class CountingStore implements Store {
  private final StorageEngine engine;
  private final AtomicLong steps = new AtomicLong();
  private final AtomicLong scans = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final NavigableSet<byte[]> tombstones =
      new ConcurrentSkipListSet<>(Arrays::compareUnsigned);
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
  private final ThreadLocal<Boolean> leased = ThreadLocal.withInitial(() -> false);
  private volatile boolean available = true;
  private volatile Runnable afterScanOpened = () -> {};

  CountingStore() throws StoreException {
    engine = new SimulatedEngine.Disk().open();
  }

  @Override
  public void onTick(Runnable callback) {
    throw new UnsupportedOperationException("dispatch has its own thread");
  }

  /** How many rows cursors have walked, the deleted ones included, as a real cursor does. */
  long steps() {
    return steps.get();
  }

  long scans() {
    return scans.get();
  }

  /** How many reads failed. */
  long failed() {
    return failed.get();
  }

  /** How many leases were refused. */
  long refused() {
    return refused.get();
  }

  void available(boolean yes) {
    available = yes;
  }

  /** Reading that key fails, alone or with others. */
  void makeUnreadable(byte[] key) {
    unreadable.add(Arrays.toString(key));
  }

  void makeReadable() {
    unreadable.clear();
  }

  /** Runs in the middle of the next scan: the cursor is open, nothing else has happened. */
  void onceAfterScanOpened(Runnable step) {
    afterScanOpened =
        () -> {
          afterScanOpened = () -> {};
          step.run();
        };
  }

  void apply(Batch batch) throws StoreException {
    engine.write(batch, false);
    batch.forEach(
        new Batch.Visitor() {
          @Override
          public void put(Family family, byte[] key, byte[] value) {
            if (family == Family.INDEX) {
              tombstones.remove(key);
            }
          }

          @Override
          public void delete(Family family, byte[] key) {
            if (family == Family.INDEX) {
              tombstones.add(key);
            }
          }

          @Override
          public void deleteRange(Family family, byte[] from, byte[] to) {
            throw new UnsupportedOperationException();
          }
        });
  }

  byte @Nullable [] value(Family family, byte[] key) {
    try {
      return engine.get(family, key);
    } catch (StoreException e) {
      throw new AssertionError(e);
    }
  }

  /** The keys of a kind in the index. */
  List<byte[]> index(byte kind) {
    List<byte[]> keys = new ArrayList<>();
    byte[] upper = {(byte) (kind + 1)};
    try (var cursor =
        engine.scan(Family.INDEX, new byte[] {kind}, upper, StorageEngine.Direction.FORWARD)) {
      while (cursor.next()) {
        keys.add(cursor.key());
      }
    } catch (StoreException e) {
      throw new AssertionError(e);
    }
    return keys;
  }

  @Override
  public StoreLease lease() throws StoreUnavailableException {
    if (!available) {
      refused.incrementAndGet();
      throw new StoreUnavailableException("the store is being reopened");
    }
    if (leased.get()) {
      throw new AssertionError("a lease within a lease");
    }
    leased.set(true);
    return new Lease();
  }

  @Override
  public void onWriteFailure(Consumer<StoreException> listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void reopen() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long generation() {
    return 1;
  }

  @Override
  public boolean isOpen() {
    return available;
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  private final class Lease implements StoreLease {
    @Override
    public byte @Nullable [] get(Family family, byte[] key) throws StoreException {
      mustBeReadable(key);
      return engine.get(family, key);
    }

    @Override
    public List<byte @Nullable []> multiGet(Family family, List<byte[]> keys)
        throws StoreException {
      for (byte[] key : keys) {
        mustBeReadable(key);
      }
      return engine.multiGet(family, keys);
    }

    private void mustBeReadable(byte[] key) throws StoreException {
      if (unreadable.contains(Arrays.toString(key))) {
        failed.incrementAndGet();
        throw new StoreException("Corruption: block checksum mismatch");
      }
    }

    @Override
    public void write(Batch batch) {
      throw new AssertionError("dispatch writes through the queue's door");
    }

    @Override
    public void writeSynced(Batch batch) {
      throw new AssertionError("dispatch never syncs");
    }

    @Override
    public void syncWal() {
      throw new AssertionError("dispatch never syncs");
    }

    @Override
    public StorageEngine.Cursor scan(
        Family family, byte[] lower, byte[] upper, StorageEngine.Direction direction)
        throws StoreException {
      var cursor = engine.scan(family, lower, upper, direction);
      scans.incrementAndGet();
      afterScanOpened.run();
      return new CountingCursor(cursor, lower, upper);
    }

    @Override
    public void close() {
      leased.set(false);
    }
  }

  private final class CountingCursor extends ForwardingCursor {
    private final byte[] upper;
    private byte[] position;

    CountingCursor(StorageEngine.Cursor cursor, byte[] lower, byte[] upper) {
      super(cursor);
      this.position = lower;
      this.upper = upper;
    }

    @Override
    public boolean next() throws StoreException {
      boolean there = super.next();
      byte[] reached = there ? key() : upper;
      steps.addAndGet(tombstones.subSet(position, reached).size());
      position = reached;
      if (there) {
        steps.incrementAndGet();
        if (unreadable.contains(Arrays.toString(key()))) {
          throw new StoreException("Corruption: block checksum mismatch");
        }
      }
      return there;
    }
  }
}
