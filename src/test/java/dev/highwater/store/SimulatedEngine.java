package dev.highwater.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that tells apart what is applied and what would survive a power cut. Behaves as
 * RocksDB does where the write path depends on it: a sync covers exactly the writes that had
 * returned when it began, cursors see the moment they were opened, closing keeps every write, and
 * opening makes all that was found durable. Use after close, which would end the process with
 * RocksDB, throws and is counted.
 */
public final class SimulatedEngine implements StorageEngine {

  /** What stays when an engine is closed: the platter. */
  public static final class Disk implements StorageEngine.Factory {
    private Map<Family, NavigableMap<byte[], byte[]>> base = empty();
    private final List<byte[]> log = new ArrayList<>();
    private int durable;
    private @Nullable SimulatedEngine open;
    private int usesAfterClose;

    @Override
    public synchronized StorageEngine open() throws StoreException {
      if (open != null) {
        throw new StoreException("another engine has this disk open");
      }
      for (byte[] batch : log) {
        apply(base, batch);
      }
      log.clear();
      durable = 0;
      open = new SimulatedEngine(this, copy(base));
      return open;
    }

    /**
     * Cuts the power: the open engine is gone, and of the writes no sync has covered only the first
     * {@code keepUnsynced} are found at the next opening.
     */
    public synchronized void crash(int keepUnsynced) {
      int kept = Math.min(log.size(), durable + keepUnsynced);
      log.subList(kept, log.size()).clear();
      if (open != null) {
        open.lost = true;
        open = null;
      }
    }

    /** How many applied batches no sync has covered. */
    public synchronized int unsynced() {
      return log.size() - durable;
    }

    /** How often an engine was used after its closing; anything but 0 is a bug in the caller. */
    public synchronized int usesAfterClose() {
      return usesAfterClose;
    }

    /** What a power cut now would leave, to look at: the rows of a family. */
    public synchronized NavigableMap<byte[], byte[]> durableRows(Family family) {
      Map<Family, NavigableMap<byte[], byte[]>> left = copy(base);
      for (byte[] batch : log.subList(0, durable)) {
        apply(left, batch);
      }
      return rows(left, family);
    }
  }

  private final Disk disk;
  private final Map<Family, NavigableMap<byte[], byte[]>> applied;
  private boolean closed;
  private boolean lost;

  private SimulatedEngine(Disk disk, Map<Family, NavigableMap<byte[], byte[]>> applied) {
    this.disk = disk;
    this.applied = applied;
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) throws StoreException {
    synchronized (disk) {
      mustBeUsable();
      return clone(rows(applied, family).get(key));
    }
  }

  @Override
  public List<byte @Nullable []> multiGet(Family family, List<byte[]> keys) throws StoreException {
    synchronized (disk) {
      mustBeUsable();
      List<byte @Nullable []> values = new ArrayList<>(keys.size());
      for (byte[] key : keys) {
        values.add(clone(rows(applied, family).get(key)));
      }
      return values;
    }
  }

  @Override
  public void write(Batch batch, boolean sync) throws StoreException {
    synchronized (disk) {
      mustBeUsable();
      byte[] encoded = batch.encoded();
      disk.log.add(encoded);
      apply(applied, encoded);
      if (sync) {
        disk.durable = disk.log.size();
      }
    }
  }

  @Override
  public void syncWal() throws StoreException {
    endSync(beginSync());
  }

  /** What a sync that begins now covers. */
  int beginSync() throws StoreException {
    synchronized (disk) {
      mustBeUsable();
      return disk.log.size();
    }
  }

  void endSync(int covered) throws StoreException {
    synchronized (disk) {
      mustBeUsable();
      disk.durable = Math.max(disk.durable, covered);
    }
  }

  @Override
  public Cursor scan(Family family, byte[] lower, byte[] upper, Direction direction)
      throws StoreException {
    synchronized (disk) {
      mustBeUsable();
      if (Arrays.compareUnsigned(lower, upper) >= 0) {
        return new Rows(new TreeMap<byte[], byte[]>(Arrays::compareUnsigned));
      }
      var range = new TreeMap<>(rows(applied, family).subMap(lower, true, upper, false));
      return new Rows(direction == Direction.FORWARD ? range : range.descendingMap());
    }
  }

  @Override
  public void close() {
    synchronized (disk) {
      if (disk.open == this) {
        disk.open = null;
      }
      closed = true;
    }
  }

  private void mustBeUsable() throws StoreException {
    if (closed) {
      disk.usesAfterClose++;
      throw new IllegalStateException("this engine is closed; RocksDB would end the process");
    }
    if (lost) {
      throw new StoreException("the power was cut");
    }
  }

  private static Map<Family, NavigableMap<byte[], byte[]>> empty() {
    Map<Family, NavigableMap<byte[], byte[]>> families = new EnumMap<>(Family.class);
    for (Family family : Family.values()) {
      families.put(family, new TreeMap<byte[], byte[]>(Arrays::compareUnsigned));
    }
    return families;
  }

  private static Map<Family, NavigableMap<byte[], byte[]>> copy(
      Map<Family, NavigableMap<byte[], byte[]>> families) {
    Map<Family, NavigableMap<byte[], byte[]>> copy = new EnumMap<>(Family.class);
    families.forEach((family, rows) -> copy.put(family, new TreeMap<>(rows)));
    return copy;
  }

  private static NavigableMap<byte[], byte[]> rows(
      Map<Family, NavigableMap<byte[], byte[]>> families, Family family) {
    var rows = families.get(family);
    if (rows == null) {
      throw new IllegalStateException("no family " + family);
    }
    return rows;
  }

  private static void apply(Map<Family, NavigableMap<byte[], byte[]>> families, byte[] encoded) {
    new BatchReader(encoded, Batch.HEADER, encoded.length)
        .forEach(
            new Batch.Visitor() {
              @Override
              public void put(Family family, byte[] key, byte[] value) {
                rows(families, family).put(key, value);
              }

              @Override
              public void delete(Family family, byte[] key) {
                rows(families, family).remove(key);
              }

              @Override
              public void deleteRange(Family family, byte[] from, byte[] to) {
                if (Arrays.compareUnsigned(from, to) < 0) {
                  rows(families, family).subMap(from, true, to, false).clear();
                }
              }
            });
  }

  private static byte @Nullable [] clone(byte @Nullable [] value) {
    return value == null ? null : value.clone();
  }

  private final class Rows implements Cursor {
    private final Iterator<Map.Entry<byte[], byte[]>> rest;
    private Map.@Nullable Entry<byte[], byte[]> at;

    Rows(NavigableMap<byte[], byte[]> rows) {
      rest = rows.entrySet().iterator();
    }

    @Override
    public boolean next() throws StoreException {
      synchronized (disk) {
        mustBeUsable();
      }
      at = rest.hasNext() ? rest.next() : null;
      return at != null;
    }

    @Override
    public byte[] key() {
      return current().getKey().clone();
    }

    @Override
    public byte[] value() {
      return current().getValue().clone();
    }

    private Map.Entry<byte[], byte[]> current() {
      if (at == null) {
        throw new IllegalStateException("the cursor is not on a row");
      }
      return at;
    }

    @Override
    public void close() {
      at = null;
    }
  }
}
