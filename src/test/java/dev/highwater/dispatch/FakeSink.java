package dev.highwater.dispatch;

import dev.highwater.sink.Attempt;
import dev.highwater.sink.Outcome;
import dev.highwater.sink.Sink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A sink in the test's hands. Delivers unless told otherwise. */
final class FakeSink implements Sink {

  /** What it does with an attempt. */
  interface Behaviour {
    Outcome on(Attempt attempt) throws InterruptedException;
  }

  static final Behaviour DELIVERS = attempt -> new Outcome.Delivered("200");

  private final List<Attempt> begun = new ArrayList<>();
  private final Set<Long> runningSeqs = new HashSet<>();
  private volatile Behaviour behaviour = DELIVERS;
  private volatile @Nullable CountDownLatch hold;
  private int running;
  private int mostRunning;
  private boolean twiceAtOnce;
  private volatile boolean closed;
  private volatile boolean closedWhileRunning;

  static Behaviour fails() {
    return attempt -> new Outcome.Transient("503", null);
  }

  static Behaviour failsAsking(Duration retryAfter) {
    return attempt -> new Outcome.Transient("429", retryAfter);
  }

  void does(Behaviour what) {
    behaviour = what;
  }

  /** Attempts hang from now on. */
  void hang() {
    hold = new CountDownLatch(1);
  }

  /** What hangs goes on, and nothing hangs any more. */
  void release() {
    CountDownLatch held = hold;
    hold = null;
    if (held != null) {
      held.countDown();
    }
  }

  @Override
  public Outcome deliver(Attempt attempt) throws InterruptedException {
    begin(attempt);
    try {
      CountDownLatch held = hold;
      if (held != null) {
        held.await();
      }
      return behaviour.on(attempt);
    } finally {
      end(attempt);
    }
  }

  private synchronized void begin(Attempt attempt) {
    begun.add(attempt);
    running++;
    mostRunning = Math.max(mostRunning, running);
    twiceAtOnce |= !runningSeqs.add(attempt.hook().seq());
  }

  private synchronized void end(Attempt attempt) {
    running--;
    runningSeqs.remove(attempt.hook().seq());
  }

  /** Every attempt that has begun, in order. */
  synchronized List<Attempt> begun() {
    return List.copyOf(begun);
  }

  synchronized int attempts() {
    return begun.size();
  }

  List<Long> seqs() {
    return begun().stream().map(attempt -> attempt.hook().seq()).toList();
  }

  List<Integer> numbers() {
    return begun().stream().map(Attempt::number).toList();
  }

  synchronized int running() {
    return running;
  }

  synchronized int mostRunning() {
    return mostRunning;
  }

  /** Whether one delivery ever ran twice at the same time. */
  synchronized boolean ranOneTwiceAtOnce() {
    return twiceAtOnce;
  }

  /** What runs belongs to a process that is gone. */
  synchronized void newProcess() {
    runningSeqs.clear();
    begun.clear();
    closed = false;
  }

  boolean isClosed() {
    return closed;
  }

  boolean wasClosedWhileRunning() {
    return closedWhileRunning;
  }

  @Override
  public void close() {
    closedWhileRunning = running() > 0;
    closed = true;
  }
}
