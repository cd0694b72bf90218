package dev.highwater.queue;

import dev.highwater.codec.Keys;
import dev.highwater.codec.Keys.PenRow;
import dev.highwater.codec.PenCodec;
import dev.highwater.hook.PenEntry;
import dev.highwater.queue.Command.Change;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import java.util.List;

/**
 * The rows of one entry of the pen, in one place, so that what a group writes, what its clean-up
 * removes and what a purge removes cannot drift apart (G4, G5). No dedupe key is among them (G11).
 */
public final class PenRows {
  private PenRows() {}

  /** Adds all rows of an entry to the batch. */
  static void put(Batch batch, PenEntry entry, byte[] encoded) {
    batch.put(Family.QUARANTINE, Keys.pen(entry.id()), encoded);
    batch.put(Family.INDEX, Keys.penRow(PenRow.of(entry)), new byte[0]);
  }

  /** Encodes the entry's own row. */
  static byte[] encode(PenEntry entry) {
    return PenCodec.encode(entry);
  }

  /** What takes an entry out of the pen. */
  public static List<Change> removal(PenRow row) {
    return List.of(
        new Change(Family.QUARANTINE, Keys.pen(row.id()), null),
        new Change(Family.INDEX, Keys.penRow(row), null));
  }
}
