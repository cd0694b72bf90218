package dev.highwater.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A disk in the test's hands: holds, slows and fails what an engine does, and counts it.
 *
 * <p>As with RocksDB, an engine one of whose writes or syncs failed fails every later one until it
 * is closed and opened again; {@link #healBehindTheBack} turns that off, for the disk that fails
 * once and then claims to be well. The rows of a failed sync are kept, and so come back with the
 * next opening. Any thread may call anything.
 */
public final class ControlledDisk implements StorageEngine.Factory {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final StorageEngine.Factory disk;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private boolean holding;
  private int allowedThrough;
  private int heldSyncs;
  private Duration syncTakes = Duration.ZERO;
  private boolean sticky = true;
  private final Fault syncFault = new Fault();
  private final Fault writeFault = new Fault();
  private final Fault readFault = new Fault();
  private final Fault openFault = new Fault();
  private boolean applyFailedWrite;
  private int scanFailsAfter = -1;

  private long writes;
  private long syncedWrites;
  private long syncsStarted;
  private long syncs;
  private long opens;
  private long openAttempts;
  private long closes;

  /** What fails, how often, and in which words. */
  private static final class Fault {
    private int left;
    private String words = "";

    void once(String message) {
      left = 1;
      words = message;
    }

    void forGood(String message) {
      left = Integer.MAX_VALUE;
      words = message;
    }

    void heal() {
      left = 0;
    }

    void strike() throws StoreException {
      if (left > 0) {
        left = left == Integer.MAX_VALUE ? left : left - 1;
        throw new StoreException(words);
      }
    }
  }

  public ControlledDisk(StorageEngine.Factory disk) {
    this.disk = disk;
  }

  /** Syncs and synced writes wait, until they are released, after they have begun. */
  public void holdSyncs() {
    change(
        () -> {
          holding = true;
          allowedThrough = 0;
        });
  }

  /** Waits until a sync has begun and is being held. */
  public void awaitSyncStarted() {
    await("no sync began", () -> heldSyncs > allowedThrough);
  }

  /** Lets one held sync, or the next one, go on; later ones wait. */
  public void releaseOneSync() {
    change(() -> allowedThrough++);
  }

  /** Lets every held sync go on, and holds none from now on. */
  public void releaseSyncs() {
    change(() -> holding = false);
  }

  /** Every sync takes that long. */
  public void slowSyncs(Duration each) {
    change(() -> syncTakes = each);
  }

  public void failNextSync(String message) {
    change(() -> syncFault.once(message));
  }

  public void failSyncsUntilHealed() {
    change(() -> syncFault.forGood("sync failed: Input/output error"));
  }

  /**
   * The next write fails.
   *
   * @param applyAnyway its rows are in the store all the same, as when RocksDB had logged them
   */
  public void failNextWrite(boolean applyAnyway) {
    change(
        () -> {
          writeFault.once("write failed: Input/output error");
          applyFailedWrite = applyAnyway;
        });
  }

  public void failWritesUntilHealed() {
    change(
        () -> {
          writeFault.forGood("write failed: No space left on device");
          applyFailedWrite = false;
        });
  }

  public void failNextRead(String message) {
    change(() -> readFault.once(message));
  }

  public void failReadsUntilHealed() {
    change(() -> readFault.forGood("read failed: Input/output error"));
  }

  /** The next cursor that gets so far fails after that many rows. */
  public void failNextScanAfter(int rows) {
    change(() -> scanFailsAfter = rows);
  }

  public void failNextOpen(String message) {
    change(() -> openFault.once(message));
  }

  public void failOpensUntilHealed() {
    change(() -> openFault.forGood("open failed: Input/output error"));
  }

  /** Nothing new fails. An engine that had failed still does, until it is opened again. */
  public void heal() {
    change(
        () -> {
          syncFault.heal();
          writeFault.heal();
          readFault.heal();
          openFault.heal();
          scanFailsAfter = -1;
        });
  }

  /** From now on an engine works again after its failure, as if nothing had happened. */
  public void healBehindTheBack() {
    change(() -> sticky = false);
  }

  /** Writes that were applied, synced ones included. */
  public long writes() {
    return read(() -> writes);
  }

  /** Writes with sync that succeeded. */
  public long syncedWrites() {
    return read(() -> syncedWrites);
  }

  /** Calls of syncWal that began. */
  public long syncsStarted() {
    return read(() -> syncsStarted);
  }

  /** Calls of syncWal that succeeded. */
  public long syncs() {
    return read(() -> syncs);
  }

  /** Openings that succeeded. */
  public long opens() {
    return read(() -> opens);
  }

  /** Openings that were tried. */
  public long openAttempts() {
    return read(() -> openAttempts);
  }

  public long closes() {
    return read(() -> closes);
  }

  @Override
  public StorageEngine open() throws StoreException {
    lock.lock();
    try {
      openAttempts++;
      openFault.strike();
    } finally {
      lock.unlock();
    }
    var engine = new Controlled(disk.open());
    change(() -> opens++);
    return engine;
  }

  private void change(Runnable step) {
    lock.lock();
    try {
      step.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private long read(LongSupplier value) {
    lock.lock();
    try {
      return value.getAsLong();
    } finally {
      lock.unlock();
    }
  }

  private void await(String otherwise, BooleanSupplier condition) {
    lock.lock();
    try {
      long left = PATIENCE.toNanos();
      while (!condition.getAsBoolean()) {
        if (left <= 0) {
          throw new AssertionError(otherwise + " within " + PATIENCE);
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(otherwise + " before the test was interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  private void waitAsToldTo() {
    lock.lock();
    try {
      long left = syncTakes.toNanos();
      while (left > 0) {
        left = changed.awaitNanos(left);
      }
      heldSyncs++;
      changed.signalAll();
      while (holding && allowedThrough == 0) {
        changed.awaitUninterruptibly();
      }
      heldSyncs--;
      if (holding) {
        allowedThrough--;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private final class Controlled implements StorageEngine {
    private final StorageEngine engine;
    private @Nullable StoreException failed;

    Controlled(StorageEngine engine) {
      this.engine = engine;
    }

    @Override
    public byte @Nullable [] get(Family family, byte[] key) throws StoreException {
      strike(readFault);
      return engine.get(family, key);
    }

    @Override
    public List<byte @Nullable []> multiGet(Family family, List<byte[]> keys)
        throws StoreException {
      strike(readFault);
      return engine.multiGet(family, keys);
    }

    @Override
    public void write(Batch batch, boolean sync) throws StoreException {
      mustNotHaveFailed();
      try {
        strike(writeFault);
      } catch (StoreException e) {
        if (applies()) {
          engine.write(batch, false);
        }
        throw fatal(e);
      }
      if (!sync) {
        engine.write(batch, false);
        change(() -> writes++);
        return;
      }
      waitAsToldTo();
      try {
        strike(syncFault);
      } catch (StoreException e) {
        engine.write(batch, false);
        throw fatal(e);
      }
      engine.write(batch, true);
      change(
          () -> {
            writes++;
            syncedWrites++;
          });
    }

    private boolean applies() {
      return read(() -> applyFailedWrite ? 1 : 0) == 1;
    }

    @Override
    public void syncWal() throws StoreException {
      mustNotHaveFailed();
      var simulated = engine instanceof SimulatedEngine s ? s : null;
      int covered = simulated == null ? 0 : simulated.beginSync();
      change(() -> syncsStarted++);
      waitAsToldTo();
      mustNotHaveFailed();
      try {
        strike(syncFault);
      } catch (StoreException e) {
        throw fatal(e);
      }
      if (simulated == null) {
        engine.syncWal();
      } else {
        simulated.endSync(covered);
      }
      change(() -> syncs++);
    }

    @Override
    public Cursor scan(Family family, byte[] lower, byte[] upper, Direction direction)
        throws StoreException {
      strike(readFault);
      return new ControlledCursor(engine.scan(family, lower, upper, direction));
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
      change(() -> closes++);
      engine.close();
    }

    private void strike(Fault fault) throws StoreException {
      lock.lock();
      try {
        fault.strike();
      } finally {
        lock.unlock();
      }
    }

    private StoreException fatal(StoreException e) {
      change(() -> failed = sticky ? e : null);
      return e;
    }

    private void mustNotHaveFailed() throws StoreException {
      lock.lock();
      try {
        if (failed != null) {
          throw new StoreException("the engine had failed before: " + failed.getMessage(), failed);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private final class ControlledCursor extends ForwardingCursor {
    private int rows;

    ControlledCursor(StorageEngine.Cursor cursor) {
      super(cursor);
    }

    @Override
    public boolean next() throws StoreException {
      lock.lock();
      try {
        if (scanFailsAfter >= 0 && rows >= scanFailsAfter) {
          scanFailsAfter = -1;
          throw new StoreException("scan failed: Corruption: block checksum mismatch");
        }
      } finally {
        lock.unlock();
      }
      rows++;
      return super.next();
    }
  }
}
