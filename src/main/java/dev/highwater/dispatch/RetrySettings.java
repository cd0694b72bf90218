package dev.highwater.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * The {@code retry.*} settings of a sink, which mean the same for every type of sink, apart from
 * the settings its type knows.
 *
 * <pre>
 * retry.delays           a list of waits: "5s, 5m, 1h", or indexed (retry.delays[0])
 * retry.base             or: the first ceiling of a growing wait (5s)
 * retry.factor           what it grows by (2)
 * retry.max              where it stops growing (6h)
 * retry.attempts         how many attempts in all (20), or "endless"
 * retry.retry-after-max  how far Retry-After is honoured (24h)
 * </pre>
 *
 * @param policy what they say; the usual one where there are none
 * @param rest every other setting
 */
record RetrySettings(RetryPolicy policy, Map<String, String> rest) {
  private static final String PREFIX = "retry.";
  private static final String DELAYS = "retry.delays";
  private static final String BASE = "retry.base";
  private static final String FACTOR = "retry.factor";
  private static final String MAX = "retry.max";
  private static final String ATTEMPTS = "retry.attempts";
  private static final String RETRY_AFTER_MAX = "retry.retry-after-max";

  /**
   * Takes the {@code retry.*} settings off a sink's settings.
   *
   * @throws IllegalArgumentException if one is unknown, wrong, or contradicts another; the message
   *     names the key
   */
  static RetrySettings takenFrom(Map<String, String> settings) {
    Map<String, String> retry = new TreeMap<>();
    Map<String, String> rest = new TreeMap<>();
    settings.forEach((key, value) -> (key.startsWith(PREFIX) ? retry : rest).put(key, value));
    RetryPolicy policy = policy(retry);
    String bound = retry.remove(RETRY_AFTER_MAX);
    if (bound != null) {
      Duration wait = duration(RETRY_AFTER_MAX, bound);
      policy = named(RETRY_AFTER_MAX, policy, wait);
    }
    if (!retry.isEmpty()) {
      throw new IllegalArgumentException(
          retry.keySet().iterator().next() + " is not a setting of retries");
    }
    return new RetrySettings(policy, Map.copyOf(rest));
  }

  private static RetryPolicy named(String key, RetryPolicy policy, Duration bound) {
    try {
      return policy.honouringRetryAfterUpTo(bound);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + " " + e.getMessage(), e);
    }
  }

  /** Removes the keys it understood. */
  private static RetryPolicy policy(Map<String, String> retry) {
    List<Duration> delays = delays(retry);
    String base = retry.remove(BASE);
    String factor = retry.remove(FACTOR);
    String max = retry.remove(MAX);
    String attempts = retry.remove(ATTEMPTS);
    boolean growing = base != null || factor != null || max != null || attempts != null;
    if (delays != null && growing) {
      throw new IllegalArgumentException(
          DELAYS
              + " says every wait, so "
              + firstOf(base, factor, max)
              + " beside it means nothing: leave one of them out");
    }
    if (delays != null) {
      try {
        return RetryPolicy.delays(delays);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(DELAYS + ": " + e.getMessage(), e);
      }
    }
    if (!growing) {
      return RetryPolicy.usual();
    }
    Duration first = base == null ? Duration.ofSeconds(5) : wait(BASE, base);
    Duration longest = max == null ? Duration.ofHours(6) : wait(MAX, max);
    if (longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(MAX + " must not be shorter than " + BASE);
    }
    return RetryPolicy.exponential(
        first, factor == null ? 2 : factor(factor), longest, attempts(attempts));
  }

  private static String firstOf(
      @Nullable String base, @Nullable String factor, @Nullable String max) {
    if (base != null) {
      return BASE;
    }
    if (factor != null) {
      return FACTOR;
    }
    return max != null ? MAX : ATTEMPTS;
  }

  private static @Nullable List<Duration> delays(Map<String, String> retry) {
    List<Duration> delays = new ArrayList<>();
    for (int i = 0; ; i++) {
      String key = DELAYS + "[" + i + "]";
      String entry = retry.remove(key);
      if (entry == null) {
        break;
      }
      delays.add(duration(key, entry));
    }
    String list = retry.remove(DELAYS);
    if (list == null) {
      return delays.isEmpty() ? null : delays;
    }
    if (!delays.isEmpty()) {
      throw new IllegalArgumentException(DELAYS + " and " + DELAYS + "[0] are both there");
    }
    for (String entry : list.split(",", -1)) {
      delays.add(duration(DELAYS, entry));
    }
    return delays;
  }

  private static Duration wait(String key, String value) {
    Duration wait = duration(key, value);
    try {
      RetryPolicy.checkWait(wait);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
    }
    return wait;
  }

  private static Duration duration(String key, String value) {
    String text = value.strip();
    try {
      if (!text.isEmpty() && Character.isLetter(text.charAt(text.length() - 1))) {
        return DurationStyle.detectAndParse(text);
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException(notADuration(key, text), e);
    }
    throw new IllegalArgumentException(notADuration(key, text));
  }

  private static String notADuration(String key, String text) {
    return key + " must be a time with its unit, such as 30s, 5m or 2h, not \"" + text + "\"";
  }

  private static double factor(String value) {
    double factor;
    try {
      factor = Double.parseDouble(value.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(FACTOR + " must be a number, not \"" + value + "\"", e);
    }
    if (!(factor >= 1 && factor <= 100)) {
      throw new IllegalArgumentException(FACTOR + " must be 1 to 100, not " + factor);
    }
    return factor;
  }

  private static int attempts(@Nullable String value) {
    if (value == null) {
      return 20;
    }
    String text = value.strip();
    if (text.equals("endless")) {
      return 0;
    }
    try {
      int attempts = Integer.parseInt(text);
      if (attempts >= 1) {
        return attempts;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(notAttempts(text), e);
    }
    throw new IllegalArgumentException(notAttempts(text));
  }

  private static String notAttempts(String text) {
    return ATTEMPTS + " must be a number from 1, or \"endless\", not \"" + text + "\"";
  }
}
