package dev.highwater.queue;

import dev.highwater.codec.PenCodec;
import dev.highwater.hook.Answer;
import dev.highwater.hook.ErrorCode;
import dev.highwater.hook.Hook;
import dev.highwater.queue.Ticket.CommandTicket;
import dev.highwater.queue.Ticket.HookTicket;
import dev.highwater.queue.Ticket.PenTicket;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives hooks their seqs and writes them in groups, without waiting for the disk; the {@link
 * SyncerService} does that.
 *
 * <p><b>Threads.</b> One thread, {@code highwater-writer}, runs {@link #run} and owns the next seq,
 * the groups that are not yet acked and the expiry sweep. {@link #submit} may be called by any
 * thread; it never blocks. What is waiting is bounded by the {@link IntakeRoom} permits that come
 * with it; commands have a room of their own.
 *
 * <p><b>Order of effects</b> of a group: its dedupe keys are looked up; its rows are put together;
 * the applied seq is raised, so that whoever sees the rows also sees that they are not durable
 * (G2); its keys are remembered; it is written unsynced; its entry goes to the syncer. Then the
 * next group, which fills while an fsync runs and is written before that one returns.
 *
 * <p><b>After a crash</b> at any of these steps nobody has been answered. Before the write nothing
 * is there; after it all of the group or nothing (G4); what is there is delivered, which at least
 * once allows (G14), except where its callers have been told 503: then the marker {@code FENCED}
 * names its seqs and the start removes them (G5).
 *
 * <p><b>Inside a fence</b> everything waiting and everything new is refused, until the {@link
 * Settlement} has removed what was never acked.
 */
public final class WriterService implements HookIntake, DurableListener {
  private static final Logger log = LoggerFactory.getLogger(WriterService.class);

  /** Commands that are waiting or being committed, and about how many bytes they write. */
  static final int MOST_COMMANDS = 1_000;

  static final long MOST_COMMAND_BYTES = 64L * 1024 * 1024;
  private static final long FENCED_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Store store;
  private final DurableMarks marks;
  private final Fence fence;
  private final SyncerService syncer;
  private final StampClock clock;
  private final BacklogLimit backlog;
  private final PenRoom pen;
  private final QueueProperties settings;
  private final LongSupplier nanoTime;
  private final QueueObserver observer;
  private final Consumer<Throwable> onDeath;
  private final DedupeExpiry expiry;
  private final Settlement settlement;
  private final GroupPacing pacing;

  private final ConcurrentLinkedQueue<Ticket> waiting = new ConcurrentLinkedQueue<>();

  /** The room for commands: what is not answered yet counts, also while it waits for the disk. */
  private final IntakeBudget commandRoom =
      new IntakeBudget(MOST_COMMANDS, MOST_COMMAND_BYTES, () -> false);

  private final CountDownLatch ended = new CountDownLatch(1);

  private volatile @Nullable Thread thread;

  /** Where the thread waits for a ticket. */
  private final Doorbell bell = new Doorbell();

  private volatile boolean started;
  private volatile boolean stopping;
  private volatile boolean dead;

  /** Owned by the writer's thread. */
  private long nextSeq;

  private final AtomicLong groups = new AtomicLong();

  WriterService(
      Store store,
      DurableMarks marks,
      Fence fence,
      SyncerService syncer,
      StampClock clock,
      BacklogLimit backlog,
      PenRoom pen,
      QueueProperties settings,
      LongSupplier nanoTime,
      QueueObserver observer,
      Consumer<Throwable> onDeath) {
    this.store = store;
    this.marks = marks;
    this.fence = fence;
    this.syncer = syncer;
    this.clock = clock;
    this.backlog = backlog;
    this.pen = pen;
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.observer = observer;
    this.onDeath = onDeath;
    this.expiry = new DedupeExpiry(nanoTime);
    this.pacing =
        new GroupPacing(
            syncer::syncRunningNanos, syncer::leastUsualSyncNanos, () -> marks.read().fenced());
    this.settlement = new Settlement(store, fence, syncer, clock, nanoTime);
    this.nextSeq = marks.read().appliedSeq() + 1;
    fence.whenLatched(() -> LockSupport.unpark(thread));
  }

  /** Starts on the executor, which must have a thread for it alone. */
  void start(Executor executor) {
    started = true;
    executor.execute(this::run);
  }

  @Override
  public Answer.@Nullable Refused refusal() {
    if (stopping) {
      return new Answer.Refused(ErrorCode.DRAINING);
    }
    if (marks.read().fenced() || !store.hasRoom() || stalled()) {
      return new Answer.Refused(ErrorCode.STORE_UNAVAILABLE);
    }
    return null;
  }

  /**
   * Whether an fsync has been running for so long that nothing new should be let in. Only an error
   * fences.
   */
  boolean stalled() {
    return syncer.syncRunningNanos() > settings.stallAfter().toNanos();
  }

  @Override
  public CompletableFuture<Answer> submit(
      Hook.Content content, int[] sinkIds, IntakeRoom.Permit permit) {
    long now = nanoTime.getAsLong();
    var ticket =
        new HookTicket(
            content,
            sinkIds,
            permit,
            now + settings.commitDeadline().toNanos(),
            now,
            new CompletableFuture<>());
    Answer.Refused refusal = refusal();
    if (refusal != null) {
      refuse(ticket, refusal.code());
    } else if (backlog.isFull(content.source())) {
      refuse(ticket, ErrorCode.BACKLOG_FULL);
    } else {
      enqueue(ticket);
    }
    return ticket.future();
  }

  @Override
  public CompletableFuture<Answer> quarantine(
      Hook.Content content, String reason, IntakeRoom.Permit permit) {
    Answer.Refused refusal = refusal();
    long penBytes = PenCodec.sizeOf(content);
    ErrorCode no = refusal != null ? refusal.code() : pen.enter(content.source(), penBytes);
    if (no != null) {
      permit.close();
      observer.refused(no);
      return CompletableFuture.completedFuture(new Answer.Refused(no));
    }
    long now = nanoTime.getAsLong();
    var ticket =
        new PenTicket(
            content,
            reason,
            penBytes,
            pen,
            permit,
            now + settings.commitDeadline().toNanos(),
            now,
            new CompletableFuture<>());
    enqueue(ticket);
    return ticket.future();
  }

  /**
   * Queues a command. Any thread.
   *
   * @return completes when it is durable, or was refused; never exceptionally
   */
  public CompletableFuture<CommandAnswer> submit(Command command) {
    long now = nanoTime.getAsLong();
    Answer.Refused refusal = refusal();
    if (refusal != null) {
      return refused(refusal.code());
    }
    IntakeRoom.Permit permit = commandRoom.enter("commands");
    if (permit == null) {
      return refused(ErrorCode.OVERLOAD);
    }
    if (!permit.grow(Math.clamp(command.bytes(), 0, Integer.MAX_VALUE))) {
      permit.close();
      return refused(ErrorCode.OVERLOAD);
    }
    var ticket =
        new CommandTicket(
            command,
            permit,
            now + settings.commitDeadline().toNanos(),
            now,
            new CompletableFuture<>());
    enqueue(ticket);
    return ticket.future();
  }

  private CompletableFuture<CommandAnswer> refused(ErrorCode code) {
    observer.refused(code);
    return CompletableFuture.completedFuture(new CommandAnswer.Refused(new Answer.Refused(code)));
  }

  private void enqueue(Ticket ticket) {
    waiting.add(ticket);
    if (dead) {
      // The thread may have gone between the look and the add; then nobody else will answer.
      refuseWaiting();
    } else {
      bell.ring();
    }
  }

  /** Called on the syncer's thread: the fsync that a group was held open for has ended. */
  @Override
  public void durable(List<DueRows> due, long at) {
    pacing.syncEnded();
  }

  @Override
  public void resumed() {
    LockSupport.unpark(thread);
  }

  /**
   * Refuses what is new, commits what is waiting, and ends. Idempotent.
   *
   * @return false if it did not end in time
   */
  boolean stop(long timeout, TimeUnit unit) throws InterruptedException {
    stopping = true;
    LockSupport.unpark(thread);
    return !started || ended.await(timeout, unit);
  }

  boolean isStopping() {
    return stopping;
  }

  /** How many groups have been written. Any thread. */
  long groups() {
    return groups.get();
  }

  private void run() {
    thread = Thread.currentThread();
    try {
      while (true) {
        Marks now = marks.read();
        if (now.fenced()) {
          if (stopping) {
            // The marker stays: the next start removes what was never acked.
            break;
          }
          insideFence(now);
          continue;
        }
        if (expiry.isDue()) {
          sweep();
        }
        if (!waiting.isEmpty() && !stopping && pacing.hold()) {
          // Whatever woke it is looked at first.
          now = marks.read();
          if (now.fenced()) {
            continue;
          }
        }
        Ticket first = waiting.poll();
        if (first != null) {
          commit(first, now);
        } else if (stopping) {
          break;
        } else {
          bell.await(this::hasNothingToDo, expiry.nanosToNext());
        }
      }
    } catch (Throwable death) {
      log.error("The writer has died; no hook can be stored any more", death);
      onDeath.accept(death);
    } finally {
      dead = true;
      stopping = true;
      refuseWaiting();
      ended.countDown();
    }
  }

  /** Whether it may wait until a ticket comes, the fence changes or it is time for the sweep. */
  private boolean hasNothingToDo() {
    return waiting.isEmpty() && !stopping && !marks.read().fenced();
  }

  private void commit(Ticket first, Marks now) {
    long began = nanoTime.getAsLong();
    settlement.durableUpTo(now.durableSeq());
    List<Ticket> tickets = collect(first, began);
    if (tickets.isEmpty()) {
      return;
    }
    try (StoreLease lease = store.lease()) {
      var group = new Group(lease, clock.now(), nextSeq);
      if (tickets.getFirst() instanceof CommandTicket command) {
        group.addCommand(command);
      } else {
        group.add(tickets);
      }
      if (group.writes()) {
        write(lease, group, now, began);
      } else if (!group.isEmpty()) {
        answerDuplicates(group, now, began);
      }
    } catch (StoreException e) {
      // A look-up failed, or the store is just being reopened: nothing of this group was handed to
      // a write.
      log.warn(
          "A group of {} could not be looked up and is refused: {}",
          tickets.size(),
          e.getMessage());
      tickets.forEach(ticket -> refuse(ticket, ErrorCode.STORE_UNAVAILABLE));
    }
  }

  /**
   * The tickets of the next group: one command, or hooks and entries of the pen up to the bounds;
   * those that waited too long are refused.
   */
  private List<Ticket> collect(Ticket first, long now) {
    List<Ticket> tickets = new ArrayList<>();
    long bytes = 0;
    for (Ticket next = first; next != null; next = waiting.poll()) {
      if (now - next.deadline() > 0) {
        refuse(next, ErrorCode.OVERLOAD);
      } else {
        tickets.add(next);
        bytes += next.bytes();
      }
      Ticket after = waiting.peek();
      boolean full =
          after == null
              || tickets.size() >= settings.maxGroup()
              || bytes + after.bytes() > settings.maxGroupBytes().toBytes();
      boolean turnOfACommand =
          !tickets.isEmpty()
              && (after instanceof CommandTicket || tickets.getFirst() instanceof CommandTicket);
      if ((full && !tickets.isEmpty()) || turnOfACommand) {
        break;
      }
    }
    return tickets;
  }

  private void write(StoreLease lease, Group group, Marks now, long began) {
    group.seal(now.durableSeq(), settlement.undoRows());
    if (!marks.raiseApplied(now.epoch(), group.lastSeq(), group.at())) {
      // A fence was latched since this group was begun: it must not be written, and its seqs were
      // seen by nobody.
      group.calls().forEach(call -> refuse(call, ErrorCode.STORE_UNAVAILABLE));
      return;
    }
    nextSeq = group.nextSeq();
    settlement.remember(group.unacked());
    try {
      lease.write(group.batch());
    } catch (StoreException e) {
      // The record may be in the log all the same: its seqs were handed to a write and stay in the
      // list.
      fence.latchIfStillIn(now.epoch(), "a group could not be written: " + e.getMessage());
      fence.awaitMarker();
      group.calls().forEach(call -> refuse(call, ErrorCode.STORE_UNAVAILABLE));
      return;
    }
    settlement.undoRowsAreRemoved();
    long written = nanoTime.getAsLong();
    groups.incrementAndGet();
    observer.applied(
        group.hooks(),
        group.duplicates(),
        group.batch().size(),
        began - group.calls().getFirst().queuedAt(),
        written - began);
    syncer.submit(group.entry(now.epoch(), written));
  }

  /**
   * A group of duplicates writes nothing; it still waits for its originals, unless they are durable
   * already.
   */
  private void answerDuplicates(Group group, Marks now, long began) {
    long written = nanoTime.getAsLong();
    observer.applied(
        0, group.duplicates(), 0, began - group.calls().getFirst().queuedAt(), written - began);
    SyncEntry entry = group.entry(now.epoch(), written);
    if (group.upto() > now.durableSeq()) {
      syncer.submit(entry);
    } else if (entry.done() instanceof SyncEntry.Reply reply) {
      reply.succeed();
      observer.answered(
          reply.calls().size(), reply.duplicates(), nanoTime.getAsLong() - entry.writtenAt());
    }
  }

  private void sweep() {
    try {
      expiry.sweep(store, clock.now());
    } catch (StoreException e) {
      log.warn("Expired dedupe keys could not be removed; they will be later: {}", e.getMessage());
    }
  }

  private void insideFence(Marks now) {
    refuseWaiting();
    if (settlement.settle(now, nextSeq)) {
      expiry.startOver();
    } else {
      LockSupport.parkNanos(this, FENCED_LOOK_NANOS);
    }
  }

  private void refuseWaiting() {
    for (Ticket ticket = waiting.poll(); ticket != null; ticket = waiting.poll()) {
      refuse(ticket, stopping ? ErrorCode.DRAINING : ErrorCode.STORE_UNAVAILABLE);
    }
  }

  private void refuse(Ticket ticket, ErrorCode code) {
    ticket.answer(new Answer.Refused(code));
    observer.refused(code);
  }
}
