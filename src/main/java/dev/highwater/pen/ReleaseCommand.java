package dev.highwater.pen;

import dev.highwater.codec.Keys;
import dev.highwater.codec.Keys.PenRow;
import dev.highwater.queue.Command;
import dev.highwater.queue.PenRows;
import dev.highwater.store.Family;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.List;

/** Takes an entry out of the pen and stores it as a hook, in one group (G4). */
record ReleaseCommand(PenRow row, Incoming incoming) implements Command {

  /** The hook, and the entry once more: it is kept beside it until this is durable. */
  @Override
  public long bytes() {
    return 2 * row.bytes();
  }

  @Override
  public List<Change> decide(StoreLease view, long at)
      throws StoreException, RejectedCommandException {
    if (view.get(Family.INDEX, Keys.penRow(row)) == null) {
      throw new RejectedCommandException("it is not in the pen any more");
    }
    return PenRows.removal(row);
  }
}
