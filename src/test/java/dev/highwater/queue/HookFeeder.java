package dev.highwater.queue;

import dev.highwater.hook.Answer;
import dev.highwater.store.TestSettings;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that does nothing but take hooks, until it is killed. It says what it has answered, a
 * line for each, after the answer: "stored 17." or "refused 18." The line's end says that it is
 * whole.
 */
final class HookFeeder {
  private static final int PROVIDERS = 6;

  private HookFeeder() {}

  /** Runs it on that data directory, from the hook with that number on. */
  public static void main(String[] arguments) throws Exception {
    var settings = TestSettings.in(Path.of(arguments[0])).build();
    var number = new AtomicLong(Long.parseLong(arguments[1]));
    var path = WritePathOnDisk.open(settings);
    for (int i = 0; i < PROVIDERS; i++) {
      Thread.ofPlatform().start(() -> provide(path, number));
    }
  }

  private static void provide(WritePathOnDisk path, AtomicLong number) {
    while (true) {
      var hook = NumberedHook.of(number.getAndIncrement());
      boolean stored = path.submit(hook).join() instanceof Answer.Stored;
      say((stored ? "stored " : "refused ") + hook.number() + ".");
      if (!stored) {
        // One that was refused comes back a little later, or the pipe would be all refusals.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  private static void say(String line) {
    synchronized (HookFeeder.class) {
      System.out.println(line);
    }
  }
}
