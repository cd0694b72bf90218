package dev.highwater.dispatch;

import dev.highwater.sink.Outcome;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what the end of an attempt means for its delivery. Used by the dispatch thread. */
final class Verdicts {
  private static final Logger log = LoggerFactory.getLogger(Verdicts.class);
  private static final int FRAMES = 8;

  private final LongSupplier stamp;
  private final RandomGenerator random;

  Verdicts(LongSupplier stamp, RandomGenerator random) {
    this.stamp = stamp;
    this.random = random;
  }

  Verdict on(Attempts.Ended ended) {
    Row row = ended.row();
    row.countAttempt();
    say(ended);
    return switch (ended.outcome()) {
      case Outcome.Delivered delivered -> new Verdict.Delivered(ended.endedAt());
      case Outcome.Permanent permanent ->
          new Verdict.Dead(stamp.getAsLong(), permanent.detail(), ended.endedAt());
      case Outcome.Transient failure -> afterFailure(row, failure, ended.endedAt());
    };
  }

  private Verdict afterFailure(Row row, Outcome.Transient failure, long endedAt) {
    Duration wait = row.lane().retry().waitAfter(row.attempts(), failure.retryAfter(), random);
    long now = stamp.getAsLong();
    if (wait == null) {
      String reason = "gave up after attempt " + row.attempts() + ": " + failure.detail();
      return new Verdict.Dead(now, reason, endedAt);
    }
    return new Verdict.Retry(later(row, now, wait), failure.detail(), endedAt);
  }

  /**
   * A delivery that could not be read while others could is tried again, and no attempt is spent.
   */
  Verdict postponed(Row row, Duration wait) {
    return new Verdict.Postponed(later(row, stamp.getAsLong(), wait));
  }

  Verdict unreadable(String reason) {
    return new Verdict.Dead(stamp.getAsLong(), reason, 0);
  }

  /** Always behind where it stands now, so that a due key is never replaced by itself. */
  private static long later(Row row, long now, Duration wait) {
    return Math.max(row.at() + 1, now + wait.toMillis());
  }

  /**
   * Says once per sink and class what was thrown. Without messages: they can hold what the sink was
   * sending (G12).
   */
  private static void say(Attempts.Ended ended) {
    Lane lane = ended.row().lane();
    Throwable thrown = ended.thrown();
    if (thrown != null && lane.throwsAnew(thrown.getClass().getName())) {
      log.error(
          "Sink {} threw, which counts as a transient failure: {}", lane, withoutMessages(thrown));
    }
  }

  private static String withoutMessages(Throwable thrown) {
    var text = new StringBuilder();
    Throwable next = thrown;
    for (int depth = 0; next != null && depth < FRAMES; depth++) {
      text.append(depth == 0 ? "" : "\ncaused by ").append(next.getClass().getName());
      StackTraceElement[] frames = next.getStackTrace();
      for (int i = 0; i < Math.min(FRAMES, frames.length); i++) {
        text.append("\n    at ").append(frames[i]);
      }
      next = next.getCause();
    }
    return text.toString();
  }
}
