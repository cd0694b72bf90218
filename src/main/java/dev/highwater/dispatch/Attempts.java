package dev.highwater.dispatch;

import dev.highwater.hook.Hook;
import dev.highwater.sink.Attempt;
import dev.highwater.sink.Outcome;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs attempts, each on a virtual thread of its own, and hands back the ended ones. Whatever a
 * sink throws ends its attempt and nothing else.
 *
 * <p>An ended attempt is handed back without allocating, so that one that ran out of memory is not
 * lost with its slot. All methods are for the dispatch thread.
 */
final class Attempts {
  private static final Logger log = LoggerFactory.getLogger(Attempts.class);

  private final InstantSource wallClock;
  private final AttemptObserver observer;
  private final Runnable wake;
  private final Map<Ended, Thread> running = new HashMap<>();
  private final ArrayBlockingQueue<Ended> ended;
  private long started;

  /**
   * @param slots how many may run at once
   * @param wake called on an attempt's thread when it has ended
   */
  Attempts(int slots, InstantSource wallClock, AttemptObserver observer, Runnable wake) {
    this.wallClock = wallClock;
    this.observer = observer;
    this.wake = wake;
    this.ended = new ArrayBlockingQueue<>(slots);
  }

  /** Starts an attempt; also one that cannot be started ends, by what prevented it. */
  void start(Row row, Hook hook) {
    var attempt = new Ended(row);
    int number = Math.max(1, row.attempts() + 1);
    String name = "highwater-attempt-" + ++started;
    try {
      Thread thread =
          Thread.ofVirtual().name(name).unstarted(() -> run(attempt, new Attempt(hook, number)));
      running.put(attempt, thread);
      thread.start();
    } catch (OutOfMemoryError e) {
      attempt.thrown = e;
      attempt.endedAt = wallClock.millis();
      ended.add(attempt);
    }
  }

  private void run(Ended ending, Attempt attempt) {
    long from = System.nanoTime();
    try {
      ending.outcome = attemptOf(ending, attempt);
    } catch (Throwable t) {
      // An Error too: the sink's trouble is not the scheduler's.
      ending.thrown = t;
    } finally {
      ending.endedAt = wallClock.millis();
      ended.add(ending);
      wake.run();
    }
    observe(ending, System.nanoTime() - from);
  }

  private static @Nullable Outcome attemptOf(Ended ending, Attempt attempt)
      throws InterruptedException {
    return ending.row.lane().sink().deliver(attempt);
  }

  private void observe(Ended ending, long nanos) {
    Lane lane = ending.row.lane();
    try {
      observer.attemptEnded(lane.source(), lane.name(), ending.outcome(), nanos);
    } catch (RuntimeException | Error e) {
      log.error("Whoever observes the attempts failed on one to {}.", lane, e);
    }
  }

  /** The next ended attempt, or null. */
  @Nullable Ended poll() {
    Ended next = ended.poll();
    if (next != null) {
      running.remove(next);
    }
    return next;
  }

  /** How many run, or have ended and were not polled. */
  int running() {
    return running.size();
  }

  /** Tells every running attempt that nobody waits for it any longer. */
  void interruptAll() {
    running.values().forEach(Thread::interrupt);
  }

  /** An attempt that has ended, with an outcome or with what was thrown. */
  static final class Ended {
    private final Row row;
    private @Nullable Outcome outcome;
    private @Nullable Throwable thrown;
    private long endedAt;

    private Ended(Row row) {
      this.row = row;
    }

    Row row() {
      return row;
    }

    @Nullable Throwable thrown() {
      return thrown;
    }

    /** Wall clock, Unix milliseconds. */
    long endedAt() {
      return endedAt;
    }

    /** Whether the sink has said that the delivery is over. */
    boolean isFinal() {
      return outcome instanceof Outcome.Delivered || outcome instanceof Outcome.Permanent;
    }

    /** What came of it; whatever was thrown is transient. Names classes only (G12). */
    Outcome outcome() {
      if (outcome != null) {
        return outcome;
      }
      String detail =
          thrown == null
              ? "the sink gave no outcome"
              : "the sink threw " + thrown.getClass().getName();
      return new Outcome.Transient(detail, null);
    }
  }
}
