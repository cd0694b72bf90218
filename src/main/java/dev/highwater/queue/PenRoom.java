package dev.highwater.queue;

import dev.highwater.codec.Keys;
import dev.highwater.codec.Keys.PenRow;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.hook.ErrorCode;
import dev.highwater.hook.SourceRef;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine.Cursor;
import dev.highwater.store.StorageEngine.Direction;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The room in the pen, in bytes, in all, of a tenant and of a source (G13): a source that is
 * flooded finds its own room full and leaves the others theirs, and where there is more than one
 * tenant, one of them gets at most half (G10). Nothing is evicted.
 *
 * <p>What counts are the entries that were answered with success, and those that may yet be: an
 * entry is counted before it is queued, and taken off when it is refused or when its removal is
 * durable. So after the clean-up of a fence, and after a start, which counts the rows, the numbers
 * are those of the store.
 *
 * <p>What is on its way into the pen is bounded as well, to an eighth of the intake's room and of
 * one source to a quarter of that: while a disk is slow, forgers hold no more of the room that
 * verified hooks need (G11).
 *
 * <p>Any thread. One lock over a few additions, which only requests that failed verification take.
 */
public final class PenRoom {
  private static final int PART_OF_INTAKE = 8;
  private static final int PART_OF_SOURCE = 4;

  /**
   * What there is in the pen.
   *
   * @param rows how many entries
   * @param bytes what they count for
   */
  public record Content(long rows, long bytes) {
    static final Content NOTHING = new Content(0, 0);

    Content plus(long moreRows, long moreBytes) {
      return new Content(rows + moreRows, bytes + moreBytes);
    }

    boolean isNothing() {
      return rows == 0 && bytes == 0;
    }
  }

  private final long maxBytes;
  private final long maxBytesPerSource;
  private final long maxBytesPerTenant;
  private final long maxUnderway;
  private final long maxBytesUnderway;

  /** All below is guarded by this. */
  private Content all = Content.NOTHING;

  private Content allUnderway = Content.NOTHING;
  private final Map<String, Content> byTenant = new HashMap<>();

  /** Only sources with entries, so bounded by the configuration and by what the start found. */
  private final Map<SourceRef, Content> bySource = new HashMap<>();

  private final Map<SourceRef, Content> underwayBySource = new HashMap<>();

  /**
   * An empty pen.
   *
   * @param intake the bounds of the room for what is being received
   * @param severalTenants whether there is more than one tenant
   */
  PenRoom(PenProperties settings, QueueProperties intake, boolean severalTenants) {
    this.maxBytes = settings.maxBytes().toBytes();
    this.maxBytesPerSource = settings.perSource();
    this.maxBytesPerTenant = severalTenants ? maxBytes / 2 : maxBytes;
    this.maxUnderway = Math.max(1, intake.maxRecords() / PART_OF_INTAKE);
    this.maxBytesUnderway = intake.maxBytes().toBytes() / PART_OF_INTAKE;
  }

  /**
   * Counts what is in the store; once, after the recovery and before anything is served.
   *
   * @throws StoreException if it cannot be counted: never taken for empty (G8)
   */
  void count(Store store) throws StoreException {
    try (StoreLease lease = store.lease();
        Cursor cursor =
            lease.scan(
                Family.INDEX, Keys.first(Keys.PEN), Keys.after(Keys.PEN), Direction.FORWARD)) {
      while (cursor.next()) {
        PenRow row = Keys.penRowOf(cursor.key());
        add(row.source(), 1, row.bytes());
      }
    } catch (UnreadableValueException e) {
      throw new StoreException("the pen cannot be counted: " + e.getMessage(), e);
    }
  }

  /**
   * Takes room for an entry that is about to be queued.
   *
   * @return null where it has it, and {@link #settled} must follow; else why not
   */
  synchronized @Nullable ErrorCode enter(SourceRef source, long bytes) {
    if (all.bytes() + bytes > maxBytes
        || of(byTenant, source.tenant()).bytes() + bytes > maxBytesPerTenant
        || of(bySource, source).bytes() + bytes > maxBytesPerSource) {
      return ErrorCode.QUARANTINE_FULL;
    }
    if (isTooMuch(allUnderway, bytes, 1)
        || isTooMuch(of(underwayBySource, source), bytes, PART_OF_SOURCE)) {
      return ErrorCode.OVERLOAD;
    }
    add(source, 1, bytes);
    allUnderway = allUnderway.plus(1, bytes);
    put(underwayBySource, source, of(underwayBySource, source).plus(1, bytes));
    return null;
  }

  /** A single one is let in whatever its size. */
  private boolean isTooMuch(Content underway, long bytes, int part) {
    return underway.rows() > 0
        && (underway.rows() + 1 > maxUnderway / part
            || underway.bytes() + bytes > maxBytesUnderway / part);
  }

  /**
   * An entry that entered has its answer.
   *
   * @param kept whether it is in the pen and durable; else it is gone, or will be before the queue
   *     takes anything again
   */
  synchronized void settled(SourceRef source, long bytes, boolean kept) {
    allUnderway = allUnderway.plus(-1, -bytes);
    put(underwayBySource, source, of(underwayBySource, source).plus(-1, -bytes));
    if (!kept) {
      add(source, -1, -bytes);
    }
  }

  /** Entries have been let out or purged, and that is durable. */
  public synchronized void left(SourceRef source, long rows, long bytes) {
    add(source, -rows, -bytes);
  }

  /** What is in the pen, with what is on its way there. */
  public synchronized Content content() {
    return all;
  }

  /** The same of one source. */
  public synchronized Content content(SourceRef source) {
    return of(bySource, source);
  }

  /** The bound for all of it, in bytes. */
  public long maxBytes() {
    return maxBytes;
  }

  private synchronized void add(SourceRef source, long rows, long bytes) {
    all = all.plus(rows, bytes);
    put(byTenant, source.tenant(), of(byTenant, source.tenant()).plus(rows, bytes));
    put(bySource, source, of(bySource, source).plus(rows, bytes));
  }

  private static <K> Content of(Map<K, Content> contents, K key) {
    return contents.getOrDefault(key, Content.NOTHING);
  }

  private static <K> void put(Map<K, Content> contents, K key, Content content) {
    if (content.isNothing()) {
      contents.remove(key);
    } else {
      contents.put(key, content);
    }
  }
}
