package dev.highwater.queue;

import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.Verification;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A hook of which every byte follows from three numbers, so that one that is found again can be
 * checked by whoever finds it. Its dedupe key is its number.
 *
 * @param number of the hook
 * @param attempt which try it is to have it stored
 * @param length of its body
 */
record NumberedHook(long number, int attempt, int length) {
  private static final int PREFIX = Long.BYTES + Integer.BYTES;

  NumberedHook {
    if (length < PREFIX) {
      throw new IllegalArgumentException("too short");
    }
  }

  /** A hook of the usual size: most are short, some are long enough for a file of their own. */
  static NumberedHook of(long number) {
    var random = new SplittableRandom(number);
    int most = random.nextInt(8) == 0 ? 24_000 : 1_500;
    return new NumberedHook(number, 1, PREFIX + random.nextInt(most));
  }

  /**
   * What a stored hook was sent as.
   *
   * @throws AssertionError if it was never sent like that
   */
  static NumberedHook of(Hook stored) {
    byte[] body = stored.content().body();
    if (body.length < PREFIX) {
      throw new AssertionError("seq " + stored.seq() + " has a body of " + body.length + " bytes");
    }
    var start = ByteBuffer.wrap(body);
    var hook = new NumberedHook(start.getLong(), start.getInt(), body.length);
    if (!Arrays.equals(body, hook.body())) {
      throw new AssertionError("seq " + stored.seq() + " is not the hook " + hook);
    }
    return hook;
  }

  NumberedHook again() {
    return new NumberedHook(number, attempt + 1, length);
  }

  HookId id() {
    return HookId.of(1_700_000_000_000L, attempt, number);
  }

  Hook.Content content() {
    return new Hook.Content(
        id(),
        WritePathOnDisk.SOURCE,
        "POST",
        "/webhooks/shop",
        Headers.of("X-Try", Integer.toString(attempt)),
        body(),
        1_700_000_000_000L,
        Verification.VERIFIED,
        "127.0.0.1",
        new DedupeKey(ByteBuffer.allocate(Long.BYTES).putLong(number).array(), Duration.ofDays(3)));
  }

  private byte[] body() {
    byte[] body = new byte[length];
    new SplittableRandom(31 * number + attempt).nextBytes(body);
    ByteBuffer.wrap(body).putLong(number).putInt(attempt);
    return body;
  }
}
