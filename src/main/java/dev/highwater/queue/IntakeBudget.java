package dev.highwater.queue;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The room for what is being received, waiting and being committed. Counts are kept without a lock:
 * a count moves only from a value that leaves room to one within its bound, in one step, so no
 * bound is ever passed, and who is refused has taken nothing from the others meanwhile.
 *
 * <p>Where there is more than one tenant, one of them gets at most half, so that its flood leaves
 * the others the rest (G10); its own count comes first for the same reason. A record larger than
 * the whole byte bound is let in when nothing else is there.
 */
final class IntakeBudget implements IntakeRoom {
  private final long maxRecords;
  private final long maxBytes;
  private final BooleanSupplier shared;
  private final Counts total = new Counts();

  /** One entry per tenant that has a source, so bounded by the configuration. */
  private final ConcurrentMap<String, Counts> tenants = new ConcurrentHashMap<>();

  /**
   * A budget.
   *
   * @param maxRecords at least 2
   * @param maxBytes at least 2
   * @param shared whether there is more than one tenant
   */
  IntakeBudget(int maxRecords, long maxBytes, BooleanSupplier shared) {
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
    this.shared = shared;
  }

  @Override
  public @Nullable Permit enter(String tenant) {
    var mine = tenants.computeIfAbsent(tenant, name -> new Counts());
    if (!mine.records.addWithin(1, share(maxRecords))) {
      return null;
    }
    if (!total.records.addWithin(1, maxRecords)) {
      mine.records.add(-1);
      return null;
    }
    return new CountedPermit(mine);
  }

  /** How much of it one tenant may have. */
  private long share(long all) {
    return shared.getAsBoolean() ? all / 2 : all;
  }

  /** Records that have entered and are not answered. */
  long records() {
    return total.records.get();
  }

  /** Body bytes of those records. */
  long bytes() {
    return total.bytes.get();
  }

  private static final class Counts {
    final Bounded records = new Bounded();
    final Bounded bytes = new Bounded();
  }

  private static final class Bounded {
    private final AtomicLong value = new AtomicLong();

    boolean addWithin(long more, long bound) {
      for (long now = value.get(); now + more <= bound; now = value.get()) {
        if (addTo(now, more)) {
          return true;
        }
      }
      return false;
    }

    /** Only if the value is that one. */
    boolean addTo(long now, long more) {
      return value.compareAndSet(now, now + more);
    }

    void add(long more) {
      value.addAndGet(more);
    }

    long get() {
      return value.get();
    }
  }

  /** Grown by one thread at a time; closed once, by any. */
  private final class CountedPermit implements Permit {
    private final Counts mine;
    private final AtomicBoolean closed = new AtomicBoolean();
    private long bytes;

    CountedPermit(Counts mine) {
      this.mine = mine;
    }

    @Override
    public boolean grow(int more) {
      if (!growAmongOthers(more) && !growAlone(more)) {
        return false;
      }
      bytes += more;
      return true;
    }

    private boolean growAmongOthers(int more) {
      if (!mine.bytes.addWithin(more, share(maxBytes))) {
        return false;
      }
      if (!total.bytes.addWithin(more, maxBytes)) {
        mine.bytes.add(-more);
        return false;
      }
      return true;
    }

    /** Whatever the bound, while nobody else has a byte: of two, one finds the other there. */
    private boolean growAlone(int more) {
      if (!mine.bytes.addTo(bytes, more)) {
        return false;
      }
      if (!total.bytes.addTo(bytes, more)) {
        mine.bytes.add(-more);
        return false;
      }
      return true;
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        total.bytes.add(-bytes);
        mine.bytes.add(-bytes);
        total.records.add(-1);
        mine.records.add(-1);
      }
    }
  }
}
