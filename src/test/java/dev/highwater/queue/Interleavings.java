package dev.highwater.queue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.highwater.Endurance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Takes a piece of the write path through interleavings of its threads: some in every build, many
 * in the long form. Lincheck runs one thread at a time and chooses where it is interrupted, so what
 * it finds it finds each time.
 */
final class Interleavings {
  /** Lincheck takes what is held by lambdas only for one thread's own, and looks away. */
  private static volatile @Nullable Object shared;

  private Interleavings() {}

  /**
   * Checks that whatever two threads do with it at once has the results of doing it one after the
   * other.
   *
   * @param type has the operations and, at rest, nothing else
   * @param inWords the same operations for one thread, as plainly as can be
   */
  static void check(Class<?> type, Class<?> inWords) {
    new ModelCheckingOptions()
        .iterations(Endurance.rounds(12, 100))
        .invocationsPerIteration(Endurance.rounds(60, 1_000))
        .threads(2)
        .actorsBefore(1)
        .actorsPerThread(3)
        .actorsAfter(1)
        .sequentialSpecification(inWords)
        .check(type);
  }

  /**
   * Runs a scenario again and again, interrupting its threads elsewhere each time.
   *
   * @param make makes what the threads share; a lambda, since Lincheck does not see through {@code
   *     Thing::new} and would take the thing for one that is not shared
   * @param scenario starts threads, waits for them and looks at what they did
   */
  static <T> void check(Supplier<T> make, Consumer<T> scenario) {
    Lincheck.runConcurrentTest(
        Endurance.rounds(300, 2_000),
        () -> {
          T made = make.get();
          shared = made;
          scenario.accept(made);
        });
  }

  /**
   * Runs them at the same time, the first on the calling thread and each other on one of its own,
   * and waits for all. One that fails fails it.
   */
  static void atOnce(Runnable first, Runnable... others) {
    var failure = new AtomicReference<@Nullable Throwable>();
    List<Thread> threads = new ArrayList<>();
    for (Runnable other : others) {
      threads.add(new Thread(() -> run(other, failure)));
    }
    threads.forEach(Thread::start);
    run(first, failure);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts it", e);
    }
    Throwable failed = failure.get();
    if (failed != null) {
      throw new AssertionError(failed.getMessage(), failed);
    }
  }

  private static void run(Runnable part, AtomicReference<@Nullable Throwable> failure) {
    try {
      part.run();
    } catch (RuntimeException | AssertionError e) {
      failure.set(e);
    }
  }

  /** A plain check: what AssertJ does around one would be taken through the interleavings, too. */
  static void must(boolean hold, String otherwise) {
    if (!hold) {
      throw new AssertionError(otherwise);
    }
  }

  /** Has a class say nothing: it would say the same thing in each of them. */
  static AutoCloseable silence(Class<?> type) {
    var logger = (Logger) LoggerFactory.getLogger(type);
    Level before = logger.getLevel();
    logger.setLevel(Level.OFF);
    return () -> logger.setLevel(before);
  }
}
