package dev.highwater.sink;

import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;
import dev.highwater.hook.Verification;

/** Attempts for tests of sinks. */
public final class Attempts {
  /** When every hook of these was received: 2026-01-02T03:04:05.678Z. */
  public static final long RECEIVED_AT = 1_767_323_045_678L;

  private Attempts() {}

  public static Attempt of(int seq, byte[] body) {
    return of(seq, body, Headers.of("Content-Type", "application/octet-stream"));
  }

  public static Attempt of(int seq, byte[] body, Headers headers) {
    var content =
        new Hook.Content(
            id(seq),
            new SourceRef("acme", "stripe"),
            "POST",
            "/in/acme/stripe?x=1",
            headers,
            body,
            RECEIVED_AT,
            Verification.VERIFIED,
            "192.0.2.7",
            null);
    return new Attempt(new Hook(seq, RECEIVED_AT, content, new int[] {1}), 1);
  }

  public static HookId id(int seq) {
    return HookId.of(RECEIVED_AT, 0, seq);
  }
}
