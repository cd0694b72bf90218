package dev.highwater.queue;

import dev.highwater.codec.ChangesCodec;
import dev.highwater.codec.Keys;
import dev.highwater.queue.Command.Change;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import java.util.ArrayList;
import java.util.List;

/**
 * The row a group with a command leaves: the former values of what the command changed. A start
 * after a crash inside a fence undoes by it what nobody was told has been done.
 */
final class UndoRow {
  private UndoRow() {}

  /** Adds the row of the group with that seq. */
  static void put(Batch batch, long seq, List<Change> undo) {
    batch.put(
        Family.DEFAULT,
        Keys.undo(seq),
        ChangesCodec.encode(
            undo.stream()
                .map(
                    change ->
                        new ChangesCodec.Row(change.family().label(), change.key(), change.value()))
                .toList()));
  }

  static List<Change> decode(long seq, byte[] value) {
    List<Change> undo = new ArrayList<>();
    for (ChangesCodec.Row row : ChangesCodec.decode("undo row " + seq, value)) {
      undo.add(new Change(Family.ofLabel(row.family()), row.key(), row.value()));
    }
    return undo;
  }

  /** Adds to the batch what undoes that command and removes its row. */
  static void undo(Batch batch, long seq, List<Change> undo) {
    if (!undo.isEmpty()) {
      undo.reversed().forEach(change -> HookRows.apply(batch, change));
      remove(batch, seq);
    }
  }

  static void remove(Batch batch, long seq) {
    batch.delete(Family.DEFAULT, Keys.undo(seq));
  }
}
