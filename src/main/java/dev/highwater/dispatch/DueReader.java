package dev.highwater.dispatch;

import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.queue.Marks;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the next due rows of one lane, and none that may not be seen yet (G2). The order of its
 * steps is what makes that true:
 *
 * <ol>
 *   <li>the cursor is opened: it shows the store of this moment, whatever is written later;
 *   <li>then the marks are read: what they call durable includes everything the cursor shows that
 *       is durable, and a group that was applied before the cursor was opened is counted as
 *       applied;
 *   <li>rows are taken up to {@link Marks#visible} and up to the durable seq;
 *   <li>the epoch is read again: if a fence has begun meanwhile, nothing that was read counts.
 * </ol>
 */
final class DueReader {
  private static final Logger log = LoggerFactory.getLogger(DueReader.class);

  enum Result {
    /** The lane has what there was. */
    READ,
    /** A row stands below the visible stamp and above the durable seq: it must wait. */
    TOO_EARLY,
    /** The queue is fenced: nothing was taken. */
    FENCED
  }

  private final Store store;
  private final Supplier<Marks> marks;
  private final LongSupplier stamp;

  DueReader(Store store, Supplier<Marks> marks, LongSupplier stamp) {
    this.store = store;
    this.marks = marks;
    this.stamp = stamp;
  }

  /**
   * Gives the lane its next rows and moves its floor.
   *
   * @param limit how many rows it may have ready afterwards
   * @throws StoreException if the scan failed; rows read before that are in the lane
   */
  Result read(Lane lane, int limit) throws StoreException {
    var scan = new Scan(lane, limit - lane.readyCount());
    scan.run();
    if (!scan.mayCount()) {
      return Result.FENCED;
    }
    lane.addReady(scan.rows);
    lane.floor(scan.floorAt, scan.floorSeq);
    if (scan.failure != null) {
      throw scan.failure;
    }
    return scan.tooEarly ? Result.TOO_EARLY : Result.READ;
  }

  private final class Scan {
    private final Lane lane;
    private final int wanted;
    private final List<Row> rows = new ArrayList<>();
    private long floorAt;
    private long floorSeq;
    private boolean tooEarly;
    private @Nullable Marks before;
    private @Nullable StoreException failure;

    Scan(Lane lane, int wanted) {
      this.lane = lane;
      this.wanted = wanted;
      this.floorAt = lane.floorAt();
      this.floorSeq = lane.floorSeq();
    }

    void run() {
      byte[] from = Keys.due(lane.id(), floorAt, floorSeq);
      byte[] to = Keys.due(lane.id() + 1, 0, 0);
      try (var lease = store.lease();
          var cursor = lease.scan(Family.INDEX, from, to, StorageEngine.Direction.FORWARD)) {
        Marks now = marks.get();
        before = now;
        if (!now.fenced()) {
          walk(cursor, now.visible(stamp.getAsLong()), now.durableSeq());
        }
      } catch (StoreException e) {
        failure = e;
      }
    }

    private void walk(StorageEngine.Cursor cursor, long visible, long durableSeq)
        throws StoreException {
      while (cursor.next()) {
        Keys.Position position = positionOf(cursor.key());
        if (position == null) {
          continue;
        }
        Row heldRow = lane.held(position.seq());
        boolean held = heldRow != null;
        boolean above = position.seq() > durableSeq;
        if (position.at() > visible || (above && !held) || (rows.size() >= wanted && !held)) {
          floorAt = position.at();
          floorSeq = position.seq();
          tooEarly = above && position.at() <= visible;
          return;
        }
        floorAt = position.at();
        floorSeq = position.seq() + 1;
        if (heldRow != null) {
          heldRow.foundAt(position.at());
        } else {
          rows.add(new Row(lane, position.at(), position.seq(), lengthOf(cursor.value())));
        }
      }
      floorAt = Lane.END;
      floorSeq = 0;
    }

    /** Whether no fence began while it was read. */
    boolean mayCount() throws StoreException {
      if (before == null) {
        throw failure == null ? new StoreException("the scan read no marks") : failure;
      }
      Marks after = marks.get();
      return !before.fenced() && !after.fenced() && before.epoch() == after.epoch();
    }

    private Keys.@Nullable Position positionOf(byte[] key) {
      try {
        return Keys.positionOf(key);
      } catch (UnreadableValueException e) {
        if (lane.saysDamagedNow()) {
          log.error("A due row of sink {} does not decode and is left where it is.", lane, e);
        }
        return null;
      }
    }

    /** A length that does not decode costs only the accounting of that body. */
    private long lengthOf(byte[] value) {
      try {
        return Row.lengthIn(value);
      } catch (UnreadableValueException e) {
        if (lane.saysDamagedNow()) {
          log.error("The body length in a due row of sink {} does not decode.", lane, e);
        }
        return 0;
      }
    }
  }
}
