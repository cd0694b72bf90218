package dev.highwater.queue;

import dev.highwater.codec.DedupeValue;
import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.queue.Command.Change;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine.Cursor;
import dev.highwater.store.StorageEngine.Direction;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import dev.highwater.store.StoreSettings;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a start finds inside a fence and cannot decode. The start is refused until the operator has
 * read what that means; then every row that points to such a hook is removed all the same, found by
 * its seq with a walk over the whole index, so it is not delivered and its retry is no duplicate
 * (G5). A change whose former value is lost cannot be undone and stays. Used by the starting
 * thread.
 */
final class FencedDamage {
  /** Where the operator reads on. */
  static final String SEE = "; see \"When the start refuses the store\" in docs/configuration.md";

  private static final Logger log = LoggerFactory.getLogger(FencedDamage.class);
  private static final int NAMED = 20;

  private final NavigableSet<Long> hooks = new TreeSet<>();
  private final NavigableSet<Long> commands = new TreeSet<>();
  private String first = "";

  /** A hook of the fence that does not decode. */
  void addHook(long seq, UnreadableValueException why) {
    hooks.add(seq);
    first = first.isEmpty() ? String.valueOf(why.getMessage()) : first;
  }

  /** The undo row of a group of the fence that does not decode. */
  void addCommands(long seq, RuntimeException why) {
    commands.add(seq);
    first = first.isEmpty() ? String.valueOf(why.getMessage()) : first;
  }

  boolean isEmpty() {
    return hooks.isEmpty() && commands.isEmpty();
  }

  /** How many hooks do not decode. */
  int hooks() {
    return hooks.size();
  }

  StoreException refusal() {
    return new StoreException(
        "the last run ended inside a fence, and of what it answered with an error "
            + (hooks.isEmpty() ? "" : hooks.size() + " hooks (seq " + named(hooks) + ") ")
            + (hooks.isEmpty() || commands.isEmpty() ? "" : "and ")
            + (commands.isEmpty()
                ? ""
                : "the changes of " + commands.size() + " groups (seq " + named(commands) + ") ")
            + "cannot be read: "
            + first
            + "; set "
            + StoreSettings.ACCEPT_LOSS_KEY
            + ": true for one start to go on without them"
            + SEE);
  }

  /**
   * Adds the removal of all that cannot be read to the batch, after what undoes the rest.
   *
   * @param undone the changes that the batch makes to undo commands: they may bring rows back
   */
  void remove(StoreLease lease, Batch batch, Collection<List<Change>> undone)
      throws StoreException {
    commands.forEach(seq -> UndoRow.remove(batch, seq));
    if (hooks.isEmpty()) {
      return;
    }
    for (long seq : hooks) {
      batch.delete(Family.HOOKS, Keys.hook(seq));
      removeFrom(lease, batch, Family.DELIVERIES, Keys.delivery(seq, 0), Keys.delivery(seq + 1, 0));
    }
    for (byte kind : new byte[] {Keys.DUE, Keys.BY_ID, Keys.DEDUPE}) {
      removeFrom(lease, batch, Family.INDEX, Keys.first(kind), Keys.after(kind));
    }
    for (List<Change> changes : undone) {
      for (Change change : changes) {
        byte[] value = change.value();
        if (value != null) {
          removeIfTheirs(batch, change.family(), change.key(), value);
        }
      }
    }
  }

  private void removeFrom(StoreLease lease, Batch batch, Family family, byte[] lower, byte[] upper)
      throws StoreException {
    try (Cursor cursor = lease.scan(family, lower, upper, Direction.FORWARD)) {
      while (cursor.next()) {
        removeIfTheirs(batch, family, cursor.key(), cursor.value());
      }
    }
  }

  private void removeIfTheirs(Batch batch, Family family, byte[] key, byte[] value) {
    if (!hooks.contains(seqOf(family, key, value))) {
      return;
    }
    batch.delete(family, key);
    DedupeValue dedupe =
        family == Family.INDEX && key[0] == Keys.DEDUPE ? DedupeValue.decodeOrNull(value) : null;
    if (dedupe != null) {
      batch.delete(Family.INDEX, Keys.dedupeExpiry(dedupe.expiresAt(), key));
    }
  }

  /** The seq of the hook that brought a row; 0 for a row that no hook brings, or that is bad. */
  private static long seqOf(Family family, byte[] key, byte[] value) {
    try {
      return switch (family) {
        case HOOKS -> Keys.seqOfHook(key);
        case DELIVERIES -> Keys.seqOfDelivery(key);
        case INDEX ->
            switch (key[0]) {
              case Keys.DUE -> Keys.positionOf(key).seq();
              case Keys.BY_ID -> Keys.numberOf(value);
              case Keys.DEDUPE -> {
                DedupeValue dedupe = DedupeValue.decodeOrNull(value);
                yield dedupe == null ? 0 : dedupe.seq();
              }
              default -> 0;
            };
        default -> 0;
      };
    } catch (UnreadableValueException e) {
      log.debug("Left alone: {}", e.getMessage());
      return 0;
    }
  }

  /** Says what was given up; nothing where everything could be read. */
  void report() {
    if (!hooks.isEmpty()) {
      log.error(
          "Going on as {} says: {} hooks that do not decode were removed by their seqs: {}. They were answered with an error, so their senders send them again.",
          StoreSettings.ACCEPT_LOSS_KEY,
          hooks.size(),
          named(hooks));
    }
    if (!commands.isEmpty()) {
      log.error(
          "Going on as {} says: the changes of {} groups were answered with an error and cannot be undone: seq {}. They stay as they are.",
          StoreSettings.ACCEPT_LOSS_KEY,
          commands.size(),
          named(commands));
    }
  }

  private static String named(NavigableSet<Long> seqs) {
    return seqs.stream().limit(NAMED).map(String::valueOf).collect(Collectors.joining(", "))
        + (seqs.size() > NAMED ? " and more up to " + seqs.last() : "");
  }
}
