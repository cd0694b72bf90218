package dev.highwater.pen;

import dev.highwater.codec.Keys;
import dev.highwater.codec.Keys.PenRow;
import dev.highwater.hook.SourceRef;
import dev.highwater.queue.Command;
import dev.highwater.queue.PenRows;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine.Cursor;
import dev.highwater.store.StorageEngine.Direction;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Throws entries of one source away, the oldest first: a bounded step, since what it removes is
 * kept beside it until that is durable. What it took is written by the writer's thread and read by
 * whoever has its answer.
 */
final class PurgeCommand implements Command {
  static final int MOST_ROWS = 256;
  static final long MOST_BYTES = 8L * 1024 * 1024;

  private final SourceRef source;
  private final long from;
  private final long below;
  private final long expectedBytes;
  private final List<PenRow> taken = new ArrayList<>();
  private boolean more;

  /**
   * A step.
   *
   * @param from the first seq it looks at
   * @param below the first seq it must not look at any more: nothing that is not durable
   * @param expectedBytes about how much it will find
   */
  PurgeCommand(SourceRef source, long from, long below, long expectedBytes) {
    this.source = source;
    this.from = from;
    this.below = below;
    this.expectedBytes = expectedBytes;
  }

  @Override
  public long bytes() {
    return Math.min(MOST_BYTES, expectedBytes);
  }

  @Override
  public List<Change> decide(StoreLease view, long at)
      throws StoreException, RejectedCommandException {
    List<Change> changes = new ArrayList<>();
    long bytes = 0;
    try (Cursor cursor =
        view.scan(
            Family.INDEX,
            Keys.penRowsFrom(source, from),
            Keys.penRowsFrom(source, below),
            Direction.FORWARD)) {
      while (cursor.next()) {
        PenRow row = Keys.penRowOf(cursor.key());
        if (taken.size() == MOST_ROWS || (!taken.isEmpty() && bytes + row.bytes() > MOST_BYTES)) {
          more = true;
          break;
        }
        taken.add(row);
        bytes += row.bytes();
        changes.addAll(PenRows.removal(row));
      }
    }
    if (taken.isEmpty()) {
      throw new RejectedCommandException("there is nothing to purge");
    }
    return changes;
  }

  /** What it has done; only after its answer. */
  PurgeOutcome.Purged done() {
    return new PurgeOutcome.Purged(
        taken.size(),
        taken.stream().mapToLong(PenRow::bytes).sum(),
        more ? OptionalLong.of(taken.getLast().seq() + 1) : OptionalLong.empty());
  }
}
