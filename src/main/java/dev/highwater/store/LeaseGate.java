package dev.highwater.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts who is inside, and can be shut. One word: the count, and two bits that say that nobody
 * enters. Entering and leaving take no lock; the one who shut it is woken by the last to leave.
 */
final class LeaseGate {
  private static final long SHUT = 1L << 62;
  private static final long CLOSED = 1L << 61;
  private static final long COUNT = CLOSED - 1;

  private final AtomicLong state = new AtomicLong(SHUT);
  private volatile @Nullable Thread keeper;

  /** The thread to wake when the gate is shut and the last one has left. */
  void keeper(Thread thread) {
    keeper = thread;
  }

  boolean tryEnter() {
    while (true) {
      long now = state.get();
      if ((now & ~COUNT) != 0) {
        return false;
      }
      if (state.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  void leave() {
    long now = state.decrementAndGet();
    if ((now & ~COUNT) != 0 && (now & COUNT) == 0) {
      wakeKeeper();
    }
  }

  /** Lets nobody in any more, until {@link #open}. */
  void shut() {
    state.getAndUpdate(now -> now | SHUT);
    wakeKeeper();
  }

  /** Lets nobody in any more, for ever. */
  void close() {
    state.getAndUpdate(now -> now | CLOSED);
    wakeKeeper();
  }

  /** Ends {@link #shut}; does nothing after {@link #close}. */
  void open() {
    state.getAndUpdate(now -> now & ~SHUT);
  }

  boolean isOpen() {
    return (state.get() & ~COUNT) == 0;
  }

  boolean isClosed() {
    return (state.get() & CLOSED) != 0;
  }

  /** How many are inside. */
  long inside() {
    return state.get() & COUNT;
  }

  private void wakeKeeper() {
    Thread thread = keeper;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
