package dev.highwater.dispatch;

import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the dispatch thread does in one round, and until when it may sleep. Every method is for that
 * thread.
 *
 * <p><b>One round</b>, in this order, each part bounded:
 *
 * <ol>
 *   <li>ended attempts free their slot, and what came of them is noted;
 *   <li>outcomes are written, many in one batch, in the order in which the attempts ended; until
 *       its outcome is written a row stays in flight and no scan takes it up again;
 *   <li>sinks whose next row may be due are scanned ({@link DueReader} says what may be seen);
 *   <li>as long as slots are free, the next rows in turn are read with their hooks, a handful under
 *       one lease, and their attempts start.
 * </ol>
 *
 * <p><b>What cannot be read</b> is never taken for nothing: while the store cannot be read, rows
 * wait; a damaged hook makes its own delivery dead; a damaged stretch of due rows stops the lane of
 * that sink only.
 */
final class Scheduler {
  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

  /** How many scans, and how many hooks, one round reads before it looks at what has ended. */
  private static final int SCANS_PER_ROUND = 32;

  private static final int HANDFUL = 16;

  /** The stamp clock may jump ahead, so no sleep that waits for a stamp is longer. */
  private static final Duration LONGEST_WAIT_FOR_A_STAMP = Duration.ofSeconds(1);

  /** With nothing to wait for. */
  private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);

  /** A row behind the mark is seen when the mark moves, and we are told; this is for safety. */
  private static final Duration BEHIND_THE_MARK = Duration.ofMillis(50);

  private static final Duration UNREADABLE_WAIT = Duration.ofSeconds(30);

  private final QueuePorts queue;
  private final DispatchStats stats;
  private final Budget budget;
  private final Turns turns;
  private final Agenda agenda = new Agenda();
  private final DueReader dueReader;
  private final HookReader hookReader;
  private final Attempts attempts;
  private final Verdicts verdicts;
  private final Outcomes outcomes;
  private final Backoff reading = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));
  private final int readAhead;
  private boolean interrupted;

  /**
   * Makes one that knows of no lane yet.
   *
   * @param readAhead how many rows a lane may have ready
   * @param wake called on an attempt's thread when it has ended
   */
  Scheduler(
      DispatchProperties bounds,
      int readAhead,
      Store store,
      QueuePorts queue,
      InstantSource wallClock,
      RandomGenerator random,
      AttemptObserver observer,
      Runnable wake,
      DispatchStats stats) {
    this.queue = queue;
    this.stats = stats;
    this.readAhead = readAhead;
    this.budget = new Budget(bounds);
    this.turns = new Turns(budget);
    this.dueReader = new DueReader(store, queue.marks(), queue.stamp());
    this.hookReader = new HookReader(store);
    this.attempts = new Attempts(bounds.slots(), wallClock, observer, wake);
    this.verdicts = new Verdicts(queue.stamp(), random);
    this.outcomes = new Outcomes(queue.writes());
  }

  /** Says that a lane is new or that its floor was changed. */
  void floorChanged(Lane lane) {
    lane.publish();
    agenda.update(lane);
  }

  /**
   * After a fence the store was reopened: what was written last may be lost, so that rows may stand
   * below the floors again.
   */
  void startOver(Collection<Lane> lanes) {
    outcomes.backoff().cutShort();
    reading.cutShort();
    for (Lane lane : lanes) {
      lane.pause().cutShort();
      lane.floor(0, 0);
    }
    agenda.endPauses(System.nanoTime());
    lanes.forEach(agenda::update);
  }

  /**
   * Does what there is to do.
   *
   * @param mayStart whether new attempts may start
   * @return whether there is more to do at once
   */
  boolean round(boolean mayStart) {
    takeEnded();
    agenda.endPauses(System.nanoTime());
    boolean more = writeOutcomes();
    if (mayStart) {
      more |= scan();
      more |= startAttempts();
    }
    return more;
  }

  /** How many attempts run. */
  int running() {
    return attempts.running();
  }

  /** How many outcomes are not written. */
  int unwritten() {
    return outcomes.waiting();
  }

  /**
   * Interrupts every running attempt. One that ends by it without a final outcome leaves its
   * delivery as it stands, and no attempt is counted.
   */
  void interruptAttempts() {
    interrupted = true;
    attempts.interruptAll();
    outcomes.backoff().cutShort();
  }

  private void takeEnded() {
    for (var ended = attempts.poll(); ended != null; ended = attempts.poll()) {
      Row row = ended.row();
      Lane lane = row.lane();
      budget.ended(lane.tenant().share(), lane.share(), row.length());
      turns.offer(lane);
      if (interrupted && !ended.isFinal()) {
        budget.settled();
        lane.drop(row);
      } else {
        outcomes.add(row, verdicts.on(ended));
      }
      lane.publish();
    }
  }

  private boolean writeOutcomes() {
    var written = outcomes.write(System.nanoTime());
    for (var settled : written) {
      Row row = settled.row();
      Lane lane = row.lane();
      budget.settled();
      lane.drop(row);
      switch (settled.verdict()) {
        case Verdict.Delivered s -> lane.stats().countDelivered(row.length());
        case Verdict.Dead s -> lane.stats().countDead(row.length());
        case Verdict.Lost s -> lane.stats().countDead(row.length());
        case Verdict.Gone s -> lane.stats().countGone(row.length());
        case Verdict.Postponed s -> lane.lowerFloor(s.at());
        case Verdict.Retry s -> {
          lane.stats().countFailed();
          lane.lowerFloor(s.at());
        }
      }
      lane.publish();
      agenda.update(lane);
    }
    stats.unwritten(outcomes.waiting());
    return !written.isEmpty() && outcomes.waiting() > 0;
  }

  private boolean scan() {
    if (reading.isOn(System.nanoTime())) {
      return false;
    }
    if (queue.marks().get().fenced()) {
      return false;
    }
    for (int i = 0; i < SCANS_PER_ROUND; i++) {
      // Each time anew: a group that is applied meanwhile makes less visible, and a lane whose rows
      // have to wait for that would be scanned for nothing again and again.
      Lane lane = agenda.pollDueBy(queue.marks().get().visible(queue.stamp().getAsLong()));
      if (lane == null) {
        return false;
      }
      boolean goOn = scan(lane);
      turns.offer(lane);
      lane.publish();
      agenda.update(lane);
      if (!goOn) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether other lanes may be scanned now. */
  private boolean scan(Lane lane) {
    try {
      return switch (dueReader.read(lane, readAhead)) {
        case READ -> {
          lane.pause().over();
          yield true;
        }
        case TOO_EARLY -> {
          pause(lane);
          yield true;
        }
        case FENCED -> false;
      };
    } catch (StoreUnavailableException e) {
      cannotRead(e);
      return false;
    } catch (StoreException e) {
      if (pause(lane)) {
        log.error("The due rows of sink {} cannot be read further; trying again.", lane, e);
      }
      return true;
    }
  }

  private boolean pause(Lane lane) {
    boolean first = lane.pause().failed(System.nanoTime());
    agenda.pause(lane);
    return first;
  }

  private void cannotRead(StoreException e) {
    if (reading.failed(System.nanoTime())) {
      log.warn("The store cannot be read now, deliveries wait: {}", e.getMessage());
    }
  }

  /** Returns whether more may be started at once. */
  private boolean startAttempts() {
    if (reading.isOn(System.nanoTime())) {
      return false;
    }
    List<Row> rows = turns.take(HANDFUL);
    if (rows.isEmpty()) {
      return false;
    }
    List<HookReader.Found> found;
    try {
      found = hookReader.read(rows);
      reading.over();
    } catch (StoreException e) {
      cannotRead(e);
      putBack(rows);
      return false;
    } catch (OutOfMemoryError e) {
      cannotRead(new StoreException("out of memory while reading hooks", e));
      putBack(rows);
      return false;
    }
    for (int i = 0; i < rows.size(); i++) {
      start(rows.get(i), found.get(i));
    }
    return true;
  }

  private void start(Row row, HookReader.Found found) {
    Lane lane = row.lane();
    switch (found) {
      case HookReader.Found.Whole whole -> {
        row.attempts(whole.attempts());
        attempts.start(row, whole.hook());
      }
      case HookReader.Found.Unreadable unreadable -> {
        log.error("The {} is dead: {}", row, unreadable.reason());
        settleUnstarted(row, verdicts.unreadable(unreadable.reason()));
      }
      case HookReader.Found.Missing missing -> {
        log.error("The {} is given up: there is no such hook.", row);
        settleUnstarted(row, new Verdict.Lost());
      }
      case HookReader.Found.Gone gone -> settleUnstarted(row, new Verdict.Gone());
      case HookReader.Found.Failed failed -> {
        log.error("The {} waits: its hook cannot be read.", row, failed.why());
        settleUnstarted(row, verdicts.postponed(row, UNREADABLE_WAIT));
      }
    }
    agenda.update(lane);
    lane.publish();
  }

  private void settleUnstarted(Row row, Verdict verdict) {
    Lane lane = row.lane();
    budget.ended(lane.tenant().share(), lane.share(), row.length());
    outcomes.add(row, verdict);
  }

  private void putBack(List<Row> rows) {
    for (Row row : rows.reversed()) {
      Lane lane = row.lane();
      budget.ended(lane.tenant().share(), lane.share(), row.length());
      budget.settled();
      lane.putBack(row);
      turns.offer(lane);
    }
  }

  /**
   * Until the earliest moment at which there is something to do that nobody wakes us for.
   *
   * @param mayStart whether new attempts may start
   */
  long nanosToSleep(boolean mayStart) {
    long now = System.nanoTime();
    long sleep = Math.min(LONGEST_SLEEP.toNanos(), outcomes.backoff().left(now));
    if (!mayStart) {
      return sleep;
    }
    sleep = Math.min(sleep, agenda.nanosToFirstPauseEnd(now));
    if (reading.isArmed()) {
      return Math.min(sleep, reading.left(now));
    }
    long next = agenda.firstAt();
    if (next == Long.MAX_VALUE) {
      return sleep;
    }
    if (queue.marks().get().fenced()) {
      // Its end wakes us; this is for safety.
      return Math.min(sleep, LONGEST_WAIT_FOR_A_STAMP.toNanos());
    }
    long wait = next - queue.stamp().getAsLong();
    long untilDue = wait > 0 ? TimeUnit.MILLISECONDS.toNanos(wait) : BEHIND_THE_MARK.toNanos();
    return Math.min(sleep, Math.min(untilDue, LONGEST_WAIT_FOR_A_STAMP.toNanos()));
  }
}
