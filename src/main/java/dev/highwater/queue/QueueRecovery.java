package dev.highwater.queue;

import dev.highwater.codec.HookCodec;
import dev.highwater.codec.Keys;
import dev.highwater.codec.Keys.PenRow;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.queue.Command.Change;
import dev.highwater.queue.FenceMarker.Range;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine.Cursor;
import dev.highwater.store.StorageEngine.Direction;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out at the start where the queue stands, and removes what a fence before a crash left:
 * hooks that were answered with an error (G5). Runs before anything is served, on the starting
 * thread.
 *
 * <p>The next seq is above the stored marker, above the last hook and above every seq that may ever
 * have been handed to a write, so none is used twice (G3). A read that fails stops the start, and
 * so does a row that should be removed and does not decode (G8), unless the operator has read about
 * it and accepts the loss.
 */
final class QueueRecovery {
  private static final Logger log = LoggerFactory.getLogger(QueueRecovery.class);

  /**
   * Where the queue stands.
   *
   * @param nextSeq the first seq that may be used; everything below is durable or gone
   * @param lastAt the last stamp that was given, 0 if none was
   */
  record State(long nextSeq, long lastAt) {}

  private QueueRecovery() {}

  /**
   * Settles what the last run left.
   *
   * @param acceptLoss go on where rows of a fence do not decode
   * @throws StoreException if it cannot be settled; the message says what the operator can do
   */
  static State recover(Store store, FenceMarker marker, boolean acceptLoss) throws StoreException {
    Range range;
    try {
      range = marker.open();
    } catch (StoreException | UnreadableValueException e) {
      throw new StoreException(
          "the file FENCED cannot be read, so it is not known which hooks were refused: "
              + e.getMessage()
              + FencedDamage.SEE,
          e);
    }
    try (StoreLease lease = store.lease()) {
      long stored = number(lease, Keys.nextSeq(), 1);
      long lastAt = number(lease, Keys.lastAt(), 0);
      long nextSeq = Math.max(stored, lastHook(lease) + 1);
      if (!range.isEmpty()) {
        nextSeq = Math.max(nextSeq, range.to() + 1);
      }
      var batch = new Batch();
      var damage = new FencedDamage();
      NavigableMap<Long, List<Change>> commands = commands(lease, batch, range, damage);
      NavigableMap<Long, HookRows.Footprint> hooks = hooks(lease, commands.values(), range, damage);
      NavigableMap<Long, PenRow> penned = penned(lease, commands.values(), range);
      if (!damage.isEmpty() && !acceptLoss) {
        throw damage.refusal();
      }
      undo(batch, commands, hooks, penned);
      damage.remove(lease, batch, commands.values());
      if (!batch.isEmpty() || nextSeq != stored) {
        batch.put(Family.DEFAULT, Keys.nextSeq(), Keys.number(nextSeq));
        lease.writeSynced(batch);
      }
      if (!range.isEmpty()) {
        log.warn(
            "The last run ended inside a fence: {} hooks, {} quarantined requests and {} changes that were answered with an error are removed (seq {} to {}).",
            hooks.size() + damage.hooks(),
            penned.size(),
            commands.size(),
            range.from(),
            range.to());
        damage.report();
        clear(marker);
      }
      return new State(nextSeq, lastAt);
    } catch (UnreadableValueException e) {
      throw new StoreException("the store cannot be recovered: " + e.getMessage(), e);
    }
  }

  private static void clear(FenceMarker marker) {
    try {
      marker.clear();
    } catch (StoreException e) {
      log.warn(
          "The marker FENCED could not be removed: {}. Its seqs are gone already.", e.toString());
    }
  }

  private static long number(StoreLease lease, byte[] key, long absent) throws StoreException {
    byte[] value = lease.get(Family.DEFAULT, key);
    return value == null ? absent : Keys.numberOf(value);
  }

  private static long lastHook(StoreLease lease) throws StoreException {
    try (Cursor cursor =
        lease.scan(Family.HOOKS, Keys.hook(0), Keys.hook(Long.MAX_VALUE), Direction.BACKWARD)) {
      return cursor.next() ? Keys.seqOfHook(cursor.key()) : 0;
    }
  }

  /**
   * What undoes the commands of the range, by their seqs. Undo rows of others are not needed any
   * more; the batch removes them.
   */
  private static NavigableMap<Long, List<Change>> commands(
      StoreLease lease, Batch batch, Range range, FencedDamage damage) throws StoreException {
    NavigableMap<Long, List<Change>> commands = new TreeMap<>();
    try (Cursor cursor =
        lease.scan(Family.DEFAULT, Keys.undo(0), Keys.undo(Long.MAX_VALUE), Direction.FORWARD)) {
      while (cursor.next()) {
        long seq = Keys.seqOfUndo(cursor.key());
        if (range.contains(seq)) {
          try {
            commands.put(seq, UndoRow.decode(seq, cursor.value()));
          } catch (UnreadableValueException | IllegalArgumentException e) {
            damage.addCommands(seq, e);
          }
        } else {
          UndoRow.remove(batch, seq);
        }
      }
    }
    return commands;
  }

  /**
   * The hooks of the range, by their seqs: those that are there, and those that a command of the
   * range has removed, which its undoing brings back.
   */
  private static NavigableMap<Long, HookRows.Footprint> hooks(
      StoreLease lease, Collection<List<Change>> commands, Range range, FencedDamage damage)
      throws StoreException {
    NavigableMap<Long, HookRows.Footprint> hooks = new TreeMap<>();
    if (range.isEmpty()) {
      return hooks;
    }
    try (Cursor cursor =
        lease.scan(
            Family.HOOKS, Keys.hook(range.from()), Keys.hook(range.to() + 1), Direction.FORWARD)) {
      while (cursor.next()) {
        add(hooks, damage, cursor.key(), cursor.value());
      }
    }
    for (List<Change> changes : commands) {
      for (Change change : changes) {
        byte[] former = change.value();
        if (change.family() == Family.HOOKS
            && former != null
            && range.contains(Keys.seqOfHook(change.key()))) {
          add(hooks, damage, change.key(), former);
        }
      }
    }
    return hooks;
  }

  private static void add(
      NavigableMap<Long, HookRows.Footprint> hooks, FencedDamage damage, byte[] key, byte[] value) {
    long seq = Keys.seqOfHook(key);
    try {
      hooks.put(seq, HookRows.Footprint.of(HookCodec.decode(seq, value), null));
    } catch (UnreadableValueException e) {
      damage.addHook(seq, e);
    }
  }

  /**
   * What went into the pen in the range, by seq: read off the keys alone, so it is found whatever
   * has become of the entry itself. Also what a command of the range has taken out again.
   */
  private static NavigableMap<Long, PenRow> penned(
      StoreLease lease, Collection<List<Change>> commands, Range range) throws StoreException {
    NavigableMap<Long, PenRow> penned = new TreeMap<>();
    if (range.isEmpty()) {
      return penned;
    }
    try (Cursor cursor =
        lease.scan(Family.INDEX, Keys.first(Keys.PEN), Keys.after(Keys.PEN), Direction.FORWARD)) {
      while (cursor.next()) {
        addPenned(penned, range, cursor.key());
      }
    }
    for (List<Change> changes : commands) {
      for (Change change : changes) {
        if (change.family() == Family.INDEX
            && change.value() != null
            && change.key()[0] == Keys.PEN) {
          addPenned(penned, range, change.key());
        }
      }
    }
    return penned;
  }

  private static void addPenned(NavigableMap<Long, PenRow> penned, Range range, byte[] key) {
    PenRow row = Keys.penRowOf(key);
    if (range.contains(row.seq())) {
      penned.put(row.seq(), row);
    }
  }

  /** The newest first, as the clean-up in memory does it: a row may have been changed twice. */
  private static void undo(
      Batch batch,
      NavigableMap<Long, List<Change>> commands,
      NavigableMap<Long, HookRows.Footprint> hooks,
      NavigableMap<Long, PenRow> penned) {
    NavigableSet<Long> seqs = new TreeSet<>(commands.keySet());
    seqs.addAll(hooks.keySet());
    seqs.addAll(penned.keySet());
    for (long seq : seqs.descendingSet()) {
      UndoRow.undo(batch, seq, commands.getOrDefault(seq, List.of()));
      HookRows.Footprint hook = hooks.get(seq);
      if (hook != null) {
        HookRows.undo(hook).forEach(change -> HookRows.apply(batch, change));
      }
      PenRow entry = penned.get(seq);
      if (entry != null) {
        PenRows.removal(entry).forEach(change -> HookRows.apply(batch, change));
      }
    }
  }
}
