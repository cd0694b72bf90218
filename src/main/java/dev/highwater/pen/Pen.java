package dev.highwater.pen;

import dev.highwater.codec.Keys;
import dev.highwater.codec.Keys.PenRow;
import dev.highwater.codec.PenCodec;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.hook.Answer;
import dev.highwater.hook.ErrorCode;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.PenEntry;
import dev.highwater.hook.SourceRef;
import dev.highwater.queue.BacklogLimit;
import dev.highwater.queue.Command;
import dev.highwater.queue.CommandAnswer;
import dev.highwater.queue.Marks;
import dev.highwater.queue.PenRoom;
import dev.highwater.queue.QueueInspector;
import dev.highwater.queue.SinkIds;
import dev.highwater.queue.WriterService;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.VerifiedRequest;
import dev.highwater.signature.Verifier;
import dev.highwater.source.SinkDefinition;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine.Cursor;
import dev.highwater.store.StorageEngine.Direction;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import dev.highwater.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a person does with requests that failed verification. Shows and takes only what is durable
 * (G2). What changes the pen goes through the writer: it is durable before it is answered, and an
 * entry is at every moment, also after a crash, either in the pen or a hook, never both and never
 * neither (G4).
 *
 * <p>While one entry is let out or purged, a second call for the same one may be told that it is
 * not there, before the first one is durable. After a refusal it is there again.
 *
 * <p>Any thread may call. Reading and verifying happen on the caller's thread; the answers come on
 * the syncer's, where only the room is counted. Nothing of a body or header is ever in a message
 * (G12).
 */
public final class Pen {
  /** The longest page. */
  public static final int MOST_ROWS = 200;

  private static final PurgeOutcome.Purged NOTHING =
      new PurgeOutcome.Purged(0, 0, OptionalLong.empty());

  private final Store store;
  private final QueueInspector queue;
  private final WriterService writer;
  private final PenRoom room;
  private final BacklogLimit backlog;
  private final SourceDirectory sources;
  private final SinkIds sinkIds;

  Pen(
      Store store,
      QueueInspector queue,
      WriterService writer,
      PenRoom room,
      BacklogLimit backlog,
      SourceDirectory sources,
      SinkIds sinkIds) {
    this.store = store;
    this.queue = queue;
    this.writer = writer;
    this.room = room;
    this.backlog = backlog;
    this.sources = sources;
    this.sinkIds = sinkIds;
  }

  /**
   * A page of what waits of that source, which need not be configured any more; the newest first.
   *
   * @param below a seq that {@link PenPage#next} told, or {@code Long.MAX_VALUE} for the first page
   * @param limit 1 to {@value #MOST_ROWS}
   * @throws StoreException if it cannot be read: never an empty page for that (G8)
   */
  public PenPage list(SourceRef source, long below, int limit) throws StoreException {
    if (limit < 1 || limit > MOST_ROWS) {
      throw new IllegalArgumentException("a page has 1 to " + MOST_ROWS + " rows, not " + limit);
    }
    Marks before = queue.marks();
    byte[] end = Keys.penRowsFrom(source, Math.min(below, before.durableSeq() + 1));
    List<PenRow> rows = new ArrayList<>();
    try (StoreLease lease = store.lease();
        Cursor cursor =
            lease.scan(Family.INDEX, Keys.penRowsFrom(source, 0), end, Direction.BACKWARD)) {
      while (rows.size() < limit && cursor.next()) {
        rows.add(Keys.penRowOf(cursor.key()));
      }
    }
    mustBeSettled(before);
    boolean full = rows.size() == limit;
    return new PenPage(rows, full ? OptionalLong.of(rows.getLast().seq()) : OptionalLong.empty());
  }

  /**
   * One entry with all that arrived.
   *
   * @return null where there is none under that id
   * @throws StoreException if it cannot be read
   * @throws UnreadableValueException if it is damaged; the message names it
   */
  public @Nullable PenEntry read(HookId id) throws StoreException {
    // Before the row: a row that is removed with a fence must not be seen when that has moved.
    Marks before = queue.marks();
    byte[] value;
    try (StoreLease lease = store.lease()) {
      value = lease.get(Family.QUARANTINE, Keys.pen(id));
    }
    PenEntry entry = value == null ? null : PenCodec.decode(id, value);
    if (entry != null && entry.seq() <= before.durableSeq()) {
      return entry;
    }
    mustBeSettled(before);
    return null;
  }

  /**
   * What was seen to be missing is so only where no fence was in between: its clean-up brings back
   * what a removal had taken that was then refused (G2, G8).
   */
  private void mustBeSettled(Marks before) throws StoreUnavailableException {
    Marks now = queue.marks();
    if (before.fenced() || now.fenced() || now.epoch() != before.epoch()) {
      throw new StoreUnavailableException("the queue is fenced, so the pen is not settled");
    }
  }

  /**
   * Lets an entry out, if it can be verified by now: with the secrets of today, against the clock
   * of its arrival. Then it is a hook like any other, under the id it had, with its dedupe key.
   *
   * @return completes when the outcome is durable, or at once where nothing changes; never
   *     exceptionally
   * @throws StoreException if the entry cannot be read
   * @throws UnreadableValueException if it is damaged; it can only be purged
   */
  public CompletableFuture<ReleaseOutcome> release(HookId id) throws StoreException {
    PenEntry entry = read(id);
    if (entry == null) {
      return done(new ReleaseOutcome.NotThere());
    }
    SourceRef ref = entry.source();
    Source source = sources.find(ref.tenant(), ref.name());
    if (source == null) {
      return done(new ReleaseOutcome.SourceGone(ref));
    }
    return switch (source.verifier().strict().verify(requestOf(entry))) {
      case Verifier.Failed(var reason) -> done(new ReleaseOutcome.StillFails(reason.code()));
      case Verifier.Quarantined(var request, var reason) ->
          done(new ReleaseOutcome.StillFails(reason.code()));
      case Verifier.Verified(var verified) -> release(entry, source, verified);
    };
  }

  private CompletableFuture<ReleaseOutcome> release(
      PenEntry entry, Source source, VerifiedRequest verified) {
    if (backlog.isFull(source.ref())) {
      return done(new ReleaseOutcome.Refused(new Answer.Refused(ErrorCode.BACKLOG_FULL)));
    }
    PenRow row = PenRow.of(entry);
    Command.Incoming hook =
        new Command.Incoming(contentOf(entry, source, verified), sinksOf(source));
    return writer
        .submit(new ReleaseCommand(row, hook))
        .thenApply(
            answer ->
                switch (answer) {
                  case CommandAnswer.Refused(var refusal) -> new ReleaseOutcome.Refused(refusal);
                  case CommandAnswer.Rejected rejected -> new ReleaseOutcome.NotThere();
                  case CommandAnswer.Brought(Answer.Duplicate(var original)) -> {
                    room.left(row.source(), 1, row.bytes());
                    yield new ReleaseOutcome.Duplicate(original);
                  }
                  case CommandAnswer.Brought brought -> released(row);
                  case CommandAnswer.Done done -> released(row);
                });
  }

  private ReleaseOutcome released(PenRow row) {
    room.left(row.source(), 1, row.bytes());
    return new ReleaseOutcome.Released(row.id());
  }

  /**
   * Throws one entry away, also one that is damaged.
   *
   * @return completes when that is durable; with no rows where there is no such entry
   * @throws StoreException if it cannot be looked for
   */
  public CompletableFuture<PurgeOutcome> purge(HookId id) throws StoreException {
    PenRow row = find(id);
    return row == null
        ? CompletableFuture.completedFuture(NOTHING)
        : purge(
            new PurgeCommand(row.source(), row.seq(), row.seq() + 1, row.bytes()), row.source());
  }

  /**
   * Throws the oldest entries of a source away, a bounded number of them; it need not be configured
   * any more.
   *
   * @param from 0 to begin with, then what {@link PurgeOutcome.Purged#next} told
   * @return completes when that is durable
   */
  public CompletableFuture<PurgeOutcome> purge(SourceRef source, long from) {
    long bytes = room.content(source).bytes();
    return purge(new PurgeCommand(source, from, queue.marks().durableSeq() + 1, bytes), source);
  }

  private CompletableFuture<PurgeOutcome> purge(PurgeCommand command, SourceRef source) {
    return writer
        .submit(command)
        .thenApply(
            answer ->
                switch (answer) {
                  case CommandAnswer.Refused(var refusal) -> new PurgeOutcome.Refused(refusal);
                  case CommandAnswer.Rejected rejected -> NOTHING;
                  case CommandAnswer.Done done -> purged(command, source);
                  case CommandAnswer.Brought brought -> purged(command, source);
                });
  }

  private PurgeOutcome purged(PurgeCommand command, SourceRef source) {
    PurgeOutcome.Purged purged = command.done();
    room.left(source, purged.rows(), purged.bytes());
    return purged;
  }

  /** Where one that is damaged stands is told by the rows beside it. */
  private @Nullable PenRow find(HookId id) throws StoreException {
    try {
      PenEntry entry = read(id);
      return entry == null ? null : PenRow.of(entry);
    } catch (UnreadableValueException damaged) {
      return findAmongAll(id);
    }
  }

  private @Nullable PenRow findAmongAll(HookId id) throws StoreException {
    Marks before = queue.marks();
    try (StoreLease lease = store.lease();
        Cursor cursor =
            lease.scan(
                Family.INDEX, Keys.first(Keys.PEN), Keys.after(Keys.PEN), Direction.FORWARD)) {
      while (cursor.next()) {
        PenRow row = Keys.penRowOf(cursor.key());
        if (row.id().equals(id) && row.seq() <= before.durableSeq()) {
          return row;
        }
      }
    }
    mustBeSettled(before);
    return null;
  }

  private static UnverifiedRequest requestOf(PenEntry entry) {
    Hook.Content content = entry.held().content();
    return new UnverifiedRequest(
        content.method(),
        content.target(),
        content.headers(),
        content.body(),
        content.receivedAt());
  }

  private static Hook.Content contentOf(PenEntry entry, Source source, VerifiedRequest verified) {
    Hook.Content held = entry.held().content();
    return new Hook.Content(
        held.id(),
        held.source(),
        held.method(),
        held.target(),
        held.headers(),
        held.body(),
        held.receivedAt(),
        verified.verification(),
        held.client(),
        source.dedupe().keyOf(verified));
  }

  private int[] sinksOf(Source source) {
    return source.sinks().stream()
        .map(SinkDefinition::name)
        .mapToInt(name -> sinkIds.idOf(source.ref(), name))
        .toArray();
  }

  private static CompletableFuture<ReleaseOutcome> done(ReleaseOutcome outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
