package dev.highwater.queue;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Executors of one named platform thread, built by hand so that they have a bound and can be
 * metered.
 */
final class DedicatedThread {
  private DedicatedThread() {}

  /**
   * An executor of one thread of that name.
   *
   * @param backlog how many tasks may wait for it; a further one is rejected
   */
  static ThreadPoolExecutor named(String name, int backlog) {
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(backlog),
        Thread.ofPlatform().name(name).factory());
  }
}
