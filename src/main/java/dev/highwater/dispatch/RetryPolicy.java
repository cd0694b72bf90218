package dev.highwater.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long a delivery waits after a transient failure, and when it has had its last attempt.
 * Immutable; any thread may ask.
 *
 * <p>A wait is never shorter than a millisecond and never longer than {@link #LONGEST}, however
 * many attempts there were. What the other side asks for with {@code Retry-After} is kept to as a
 * lower bound, up to a bound of its own; it never adds an attempt.
 */
public final class RetryPolicy {
  /** No wait is longer. */
  public static final Duration LONGEST = Duration.ofDays(365);

  /** How far {@code Retry-After} is honoured unless configured. */
  public static final Duration USUAL_RETRY_AFTER_BOUND = Duration.ofHours(24);

  private static final int MOST_DELAYS = 100;

  private static final RetryPolicy USUAL =
      delays(
          List.of(
              Duration.ofSeconds(5),
              Duration.ofMinutes(5),
              Duration.ofMinutes(30),
              Duration.ofHours(2),
              Duration.ofHours(5),
              Duration.ofHours(10),
              Duration.ofHours(14),
              Duration.ofHours(20),
              Duration.ofHours(24)));

  private sealed interface Schedule permits Listed, Growing {
    /** The wait in ms after that many ended attempts, at least 1; or 0 after the last attempt. */
    long millisAfter(int ended, RandomGenerator random);
  }

  private final Schedule schedule;
  private final Duration retryAfterBound;

  private RetryPolicy(Schedule schedule, Duration retryAfterBound) {
    this.schedule = schedule;
    this.retryAfterBound = retryAfterBound;
  }

  /** What Standard Webhooks advises: ten attempts within a little over three days. */
  public static RetryPolicy usual() {
    return USUAL;
  }

  /**
   * One wait after each failed attempt, exactly as long as listed; after the last one the next
   * failure is final.
   *
   * @param delays 1 to 100 waits, each 1 ms to {@link #LONGEST}
   * @throws IllegalArgumentException if there are none or too many, or one is out of its bounds
   */
  public static RetryPolicy delays(List<Duration> delays) {
    if (delays.isEmpty() || delays.size() > MOST_DELAYS) {
      throw new IllegalArgumentException(
          "must have 1 to " + MOST_DELAYS + " entries, not " + delays.size());
    }
    for (Duration delay : delays) {
      checkWait(delay);
    }
    return new RetryPolicy(
        new Listed(delays.stream().mapToLong(Duration::toMillis).toArray()),
        USUAL_RETRY_AFTER_BOUND);
  }

  /**
   * Waits between 1 ms and a ceiling, at random ("full jitter"), where the ceiling begins at {@code
   * base} and grows by {@code factor} with every attempt up to {@code max}.
   *
   * @param base 1 ms to {@link #LONGEST}
   * @param factor 1 to 100
   * @param max {@code base} to {@link #LONGEST}
   * @param attempts how many attempts there are in all, or 0 for no end
   * @throws IllegalArgumentException if one is out of its bounds
   */
  public static RetryPolicy exponential(Duration base, double factor, Duration max, int attempts) {
    checkWait(base);
    checkWait(max);
    if (max.compareTo(base) < 0) {
      throw new IllegalArgumentException("the longest wait must not be shorter than the first");
    }
    if (!(factor >= 1 && factor <= 100)) {
      throw new IllegalArgumentException("the factor must be 1 to 100, not " + factor);
    }
    if (attempts < 0) {
      throw new IllegalArgumentException("attempts must not be negative, not " + attempts);
    }
    return new RetryPolicy(
        new Growing(base.toMillis(), factor, max.toMillis(), attempts), USUAL_RETRY_AFTER_BOUND);
  }

  /**
   * The same waits, with another bound for {@code Retry-After}.
   *
   * @param bound zero (it is ignored) to {@link #LONGEST}
   */
  public RetryPolicy honouringRetryAfterUpTo(Duration bound) {
    if (bound.isNegative() || bound.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("must be zero to " + LONGEST.toDays() + " days");
    }
    return new RetryPolicy(schedule, bound);
  }

  static void checkWait(Duration wait) {
    if (wait.compareTo(Duration.ofMillis(1)) < 0 || wait.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a wait must be 1 ms to " + LONGEST.toDays() + " days, not " + wait);
    }
  }

  /**
   * How long to wait after a transient failure.
   *
   * @param ended how many attempts have ended, with the one that failed just now; at least 1
   * @param retryAfter what the other side asked for, or null
   * @param random for the jitter
   * @return at least 1 ms, or null when that was the last attempt
   */
  public @Nullable Duration waitAfter(
      int ended, @Nullable Duration retryAfter, RandomGenerator random) {
    long millis = schedule.millisAfter(ended, random);
    if (millis == 0) {
      return null;
    }
    Duration wait = Duration.ofMillis(millis);
    if (retryAfter == null) {
      return wait;
    }
    Duration asked = retryAfter.compareTo(retryAfterBound) > 0 ? retryAfterBound : retryAfter;
    return asked.compareTo(wait) > 0 ? asked : wait;
  }

  private record Listed(long[] millis) implements Schedule {
    @Override
    public long millisAfter(int ended, RandomGenerator random) {
      return ended <= millis.length ? millis[Math.max(0, ended - 1)] : 0;
    }
  }

  private record Growing(long base, double factor, long max, int attempts) implements Schedule {
    @Override
    public long millisAfter(int ended, RandomGenerator random) {
      if (attempts != 0 && ended >= attempts) {
        return 0;
      }
      // Infinity for a large exponent: then the longest wait is taken.
      double grown = (double) base * Math.pow(factor, Math.max(0, ended - 1));
      long ceiling = grown >= (double) max ? max : (long) grown;
      return 1 + random.nextLong(ceiling);
    }
  }
}
