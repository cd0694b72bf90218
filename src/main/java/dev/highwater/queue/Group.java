package dev.highwater.queue;

import dev.highwater.codec.DedupeValue;
import dev.highwater.codec.Keys;
import dev.highwater.codec.Keys.PenRow;
import dev.highwater.hook.Answer;
import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.ErrorCode;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.PenEntry;
import dev.highwater.queue.Command.Change;
import dev.highwater.queue.Command.RejectedCommandException;
import dev.highwater.queue.Ticket.CommandTicket;
import dev.highwater.queue.Ticket.HookTicket;
import dev.highwater.queue.Ticket.PenTicket;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One group while it is put together: what is written, who waits and what each will be told.
 * Belongs to the writer's thread.
 *
 * <p>Hooks are looked up by their dedupe keys with one multi-get, then taken in order: the same key
 * twice is one hook and one duplicate. What goes into the pen is among them, with a seq of its own
 * and no key. A command is a group of its own. A record that cannot be encoded fails alone.
 */
final class Group {
  private static final Logger log = LoggerFactory.getLogger(Group.class);

  /** What a hook takes in the batch beside its body, where its headers are as usual. */
  private static final int USUAL_ROWS = 2048;

  /**
   * What a command is answered does not hang on the answer's kind: anything but a refusal will do.
   */
  private static final Answer DONE = new Answer.Stored(new HookId(0, 0));

  private final StoreLease lease;
  private final long at;
  private final long firstSeq;
  private final Batch batch = new Batch();
  private final List<Ticket> calls = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private final List<HookRows.Footprint> footprints = new ArrayList<>();
  private final List<PenRow> penned = new ArrayList<>();
  private final Map<Integer, DueRows> dueRows = new TreeMap<>();
  private List<Change> undo = List.of();
  private long nextSeq;
  private long upto;
  private int duplicates;

  /**
   * An empty group.
   *
   * @param at its stamp
   * @param nextSeq the first seq it may use
   */
  Group(StoreLease lease, long at, long nextSeq) {
    this.lease = lease;
    this.at = at;
    this.firstSeq = nextSeq;
    this.nextSeq = nextSeq;
  }

  /** Takes hooks and entries of the pen in. On an exception none of them is in. */
  void add(List<? extends Ticket> tickets) throws StoreException {
    List<byte[]> keys = new ArrayList<>();
    for (Ticket ticket : tickets) {
      byte[] key = ticket instanceof HookTicket hook ? dedupeKeyOf(hook.content()) : null;
      if (key != null) {
        keys.add(key);
      }
    }
    List<byte @Nullable []> stored =
        keys.isEmpty() ? List.of() : lease.multiGet(Family.INDEX, keys);
    batch.reserve(tickets.stream().mapToLong(ticket -> ticket.bytes() + USUAL_ROWS).sum());
    Map<ByteBuffer, DedupeValue> inGroup = new HashMap<>();
    int next = 0;
    for (Ticket any : tickets) {
      if (any instanceof PenTicket held) {
        addToPen(held);
        continue;
      }
      if (!(any instanceof HookTicket ticket)) {
        throw new IllegalStateException("a command is a group of its own");
      }
      if (ticket.content().dedupe() == null) {
        addFresh(ticket, ticket.content(), ticket.sinkIds(), null);
        continue;
      }
      byte[] storedValue = stored.get(next);
      var key = ByteBuffer.wrap(keys.get(next));
      next++;
      DedupeValue original = inGroup.get(key);
      if (original == null) {
        original = originalIn(storedValue);
      }
      if (original != null) {
        duplicates++;
        upto = Math.max(upto, original.seq());
        call(ticket, new Answer.Duplicate(original.id()));
        continue;
      }
      HookRows.Footprint footprint =
          addFresh(ticket, ticket.content(), ticket.sinkIds(), storedValue);
      if (footprint != null) {
        inGroup.put(key, new DedupeValue(footprint.expiresAt(), footprint.seq(), footprint.id()));
      }
    }
  }

  private static byte @Nullable [] dedupeKeyOf(Hook.Content content) {
    DedupeKey dedupe = content.dedupe();
    return dedupe == null ? null : Keys.dedupe(content.source(), dedupe.bytes());
  }

  /** The original that a stored dedupe row names, where it is still in its window. */
  private @Nullable DedupeValue originalIn(byte @Nullable [] stored) {
    DedupeValue decoded = DedupeValue.decodeOrNull(stored);
    return decoded != null && decoded.expiresAt() > at ? decoded : null;
  }

  private HookRows.@Nullable Footprint addFresh(
      Ticket ticket, Hook.Content content, int[] sinkIds, byte @Nullable [] replaced) {
    var hook = new Hook(nextSeq, at, content, sinkIds);
    HookRows.Footprint footprint;
    byte[] encoded;
    try {
      footprint = HookRows.Footprint.of(hook, replaced);
      encoded = HookRows.encode(hook);
    } catch (RuntimeException e) {
      log.error("{} cannot be encoded and is refused", content, e);
      ticket.answer(new Answer.Refused(ErrorCode.INTERNAL));
      return null;
    }
    HookRows.put(batch, hook, encoded, footprint);
    footprints.add(footprint);
    for (int sinkId : hook.sinkIds()) {
      var row = new DueRows(sinkId, 1, hook.content().body().length);
      dueRows.merge(sinkId, row, DueRows::plus);
    }
    upto = nextSeq++;
    call(ticket, new Answer.Stored(footprint.id()));
    return footprint;
  }

  private void addToPen(PenTicket ticket) {
    var held = new Hook(nextSeq, at, ticket.content(), new int[0]);
    var entry = new PenEntry(held, ticket.reason(), ticket.penBytes());
    byte[] encoded;
    try {
      encoded = PenRows.encode(entry);
    } catch (RuntimeException e) {
      log.error("{} cannot be encoded and is refused", ticket.content(), e);
      ticket.answer(new Answer.Refused(ErrorCode.INTERNAL));
      return;
    }
    PenRows.put(batch, entry, encoded);
    penned.add(PenRow.of(entry));
    upto = nextSeq++;
    call(ticket, new Answer.Quarantined(entry.id()));
  }

  /** Takes a command in, if it agrees to be carried out, with the hook that it brings. */
  void addCommand(CommandTicket ticket) throws StoreException {
    List<Change> changes;
    List<Change> former = new ArrayList<>();
    try {
      changes = ticket.command().decide(lease, at);
      for (Change change : changes) {
        former.add(
            new Change(change.family(), change.key(), lease.get(change.family(), change.key())));
      }
    } catch (RejectedCommandException e) {
      upto = nextSeq - 1;
      call(ticket.rejecting(String.valueOf(e.getMessage())), DONE);
      return;
    } catch (RuntimeException e) {
      log.error("A command cannot be decided and is refused", e);
      ticket.answer(new Answer.Refused(ErrorCode.INTERNAL));
      return;
    }
    Command.Incoming incoming = ticket.command().incoming();
    long seq = nextSeq;
    if (incoming == null) {
      nextSeq++;
      call(ticket, DONE);
    } else if (!addBrought(ticket, incoming)) {
      return;
    }
    changes.forEach(change -> HookRows.apply(batch, change));
    undo = former;
    if (!undo.isEmpty()) {
      UndoRow.put(batch, seq, undo);
    }
    upto = seq;
  }

  /**
   * Stores the hook of a command under its seq, or finds that it is a duplicate: of a hook before
   * this group, so whoever waits for this group waits for that one too.
   *
   * @return false if it cannot be encoded; the ticket is answered
   */
  private boolean addBrought(CommandTicket ticket, Command.Incoming incoming)
      throws StoreException {
    byte[] key = dedupeKeyOf(incoming.content());
    byte[] stored = key == null ? null : lease.get(Family.INDEX, key);
    DedupeValue original = originalIn(stored);
    if (original == null) {
      return addFresh(ticket, incoming.content(), incoming.sinkIds(), stored) != null;
    }
    duplicates++;
    nextSeq++;
    call(ticket, new Answer.Duplicate(original.id()));
    return true;
  }

  private void call(Ticket ticket, Answer answer) {
    calls.add(ticket);
    answers.add(answer);
  }

  /**
   * Adds the markers that every group carries (G3, G4) and the undo rows that are not needed any
   * more.
   */
  void seal(long knownDurable, List<Long> settledUndoRows) {
    batch.put(Family.DEFAULT, Keys.nextSeq(), Keys.number(nextSeq));
    batch.put(Family.DEFAULT, Keys.lastAt(), Keys.number(at));
    batch.put(Family.DEFAULT, Keys.knownDurable(), Keys.number(knownDurable));
    settledUndoRows.forEach(seq -> UndoRow.remove(batch, seq));
  }

  /** Whether it writes anything: a group of duplicates does not. */
  boolean writes() {
    return nextSeq > firstSeq;
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  Batch batch() {
    return batch;
  }

  long at() {
    return at;
  }

  /** The first seq that the next group may use. */
  long nextSeq() {
    return nextSeq;
  }

  long lastSeq() {
    return nextSeq - 1;
  }

  int hooks() {
    return footprints.size();
  }

  int duplicates() {
    return duplicates;
  }

  List<Ticket> calls() {
    return calls;
  }

  UnackedGroups.Group unacked() {
    return new UnackedGroups.Group(lastSeq(), footprints, penned, undo);
  }

  /** The entry for the syncer. */
  SyncEntry entry(long epoch, long writtenAt) {
    return new SyncEntry(
        upto,
        at,
        epoch,
        List.copyOf(dueRows.values()),
        writtenAt,
        new SyncEntry.Reply(calls, answers));
  }

  long upto() {
    return upto;
  }
}
