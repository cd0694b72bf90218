package dev.highwater.queue;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a thread waits while there is nothing to do, without a lock on the way of those who bring
 * something. One thread waits; any thread rings.
 *
 * <p>Who waits first says so and then looks whether there is something; who brings something first
 * puts it down and then looks whether somebody waits. So one of them sees the other, and nothing is
 * left lying.
 */
final class Doorbell {
  private final LongConsumer park;
  private final Consumer<Thread> unpark;

  /** The thread that waits or is about to. */
  private volatile @Nullable Thread waiter;

  Doorbell() {
    this.park = nanos -> LockSupport.parkNanos(this, nanos);
    this.unpark = LockSupport::unpark;
  }

  /**
   * With another way to wait, for a test that must notice when somebody waits for ever.
   *
   * @param park waits for so many nanoseconds, or until it is ended
   * @param unpark ends the thread's waiting; where it does not wait, its next one
   */
  Doorbell(LongConsumer park, Consumer<Thread> unpark) {
    this.park = park;
    this.unpark = unpark;
  }

  /**
   * Waits until somebody rings, the time is over, or for no reason.
   *
   * @param nothing whether there is nothing to do; if there is something it does not wait
   * @param nanos how long at most
   */
  void await(BooleanSupplier nothing, long nanos) {
    waiter = Thread.currentThread();
    try {
      if (nothing.getAsBoolean()) {
        park.accept(nanos);
      }
    } finally {
      waiter = null;
    }
  }

  /** Says that there is something to do, which must be visible by now. */
  void ring() {
    Thread waits = waiter;
    if (waits != null) {
      unpark.accept(waits);
    }
  }
}
