package dev.highwater.queue;

import dev.highwater.codec.Keys.PenRow;
import dev.highwater.queue.Command.Change;
import dev.highwater.store.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The groups that were handed to a write and that no fsync has covered yet. Belongs to the writer's
 * thread. Bounded by the room for records, since their callers are not answered yet.
 */
final class UnackedGroups {
  /**
   * One group.
   *
   * @param lastSeq the highest of its seqs
   * @param hooks what each hook left in the store
   * @param penned what went into the pen
   * @param undo what undoes its command; empty where it has none
   */
  record Group(
      long lastSeq, List<HookRows.Footprint> hooks, List<PenRow> penned, List<Change> undo) {}

  private final Deque<Group> groups = new ArrayDeque<>();

  void add(Group group) {
    groups.addLast(group);
  }

  /**
   * Forgets what is durable and returns the seqs of the forgotten groups that stored an undo row.
   */
  List<Long> forgetUpTo(long durableSeq) {
    List<Long> withUndoRow = new ArrayList<>();
    for (Group first = groups.peekFirst();
        first != null && first.lastSeq() <= durableSeq;
        first = groups.peekFirst()) {
      if (!first.undo().isEmpty()) {
        withUndoRow.add(first.lastSeq());
      }
      groups.removeFirst();
    }
    return withUndoRow;
  }

  /**
   * Adds to the batch what removes every group, the newest first, so that a row written twice gets
   * its oldest value back.
   */
  void undoAll(Batch batch) {
    for (var newestFirst = groups.descendingIterator(); newestFirst.hasNext(); ) {
      Group group = newestFirst.next();
      UndoRow.undo(batch, group.lastSeq(), group.undo());
      for (HookRows.Footprint hook : group.hooks().reversed()) {
        HookRows.undo(hook).forEach(change -> HookRows.apply(batch, change));
      }
      for (PenRow entry : group.penned().reversed()) {
        PenRows.removal(entry).forEach(change -> HookRows.apply(batch, change));
      }
    }
  }

  void clear() {
    groups.clear();
  }

  int size() {
    return groups.size();
  }
}
