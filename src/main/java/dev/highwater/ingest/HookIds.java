package dev.highwater.ingest;

import dev.highwater.hook.HookId;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the ids of hooks. The random part walks a sequence that does not repeat within a process,
 * from a start that was drawn by the system's generator once: two nodes do not meet, and no request
 * waits for entropy. An id is a name, not a secret. Any thread may call.
 */
final class HookIds {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final AtomicLong position;
  private final long salt;

  HookIds() {
    SecureRandom random = new SecureRandom();
    position = new AtomicLong(random.nextLong());
    salt = random.nextLong();
  }

  /**
   * A new id.
   *
   * @param unixMillis the wall clock at the arrival of its hook
   */
  HookId next(long unixMillis) {
    long step = position.getAndAdd(GOLDEN);
    return HookId.of(unixMillis, mixed(step ^ salt), mixed(step));
  }

  /** Spreads the bits; one to one, so that different steps stay different. */
  private static long mixed(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
