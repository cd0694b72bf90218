package benchmark.load;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What came of one phase. Used by one thread. */
final class Tally {
  private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(5);

  private final Histogram accepted = new Histogram(LONGEST_MICROS, 3);
  private final Histogram refused = new Histogram(LONGEST_MICROS, 3);
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private long inWindow;
  private long broken;
  private long unanswered;

  void answered(int status, long nanos, boolean withinWindow) {
    boolean ok = status >= 200 && status < 300;
    (ok ? accepted : refused)
        .recordValue(Math.clamp(TimeUnit.NANOSECONDS.toMicros(nanos), 0, LONGEST_MICROS));
    if (ok && withinWindow) {
      inWindow++;
    }
    if (!ok) {
      statuses.merge(status, 1L, Long::sum);
    }
  }

  void broken() {
    broken++;
  }

  /** It never came: counted with the time it has been waited for, so that no stall is hidden. */
  void unanswered(long nanos) {
    unanswered++;
    accepted.recordValue(Math.clamp(TimeUnit.NANOSECONDS.toMicros(nanos), 0, LONGEST_MICROS));
  }

  long inWindow() {
    return inWindow;
  }

  /** One line of {@code key=value}; times in microseconds. */
  String line(double seconds, double intendedRate, double processSeconds) {
    var text = new StringBuilder();
    put(text, "seconds", seconds);
    put(text, "ok", inWindow);
    put(text, "rate", inWindow / seconds);
    put(text, "intended", intendedRate);
    times(text, "", accepted);
    put(text, "refused", refused.getTotalCount());
    times(text, "refused_", refused);
    put(text, "broken", broken);
    put(text, "unanswered", unanswered);
    put(text, "generator_cpu", processSeconds);
    statuses.forEach((status, count) -> put(text, "status_" + status, count));
    return text.toString().strip();
  }

  private static void times(StringBuilder text, String prefix, Histogram times) {
    put(text, prefix + "p50", times.getValueAtPercentile(50));
    put(text, prefix + "p99", times.getValueAtPercentile(99));
    put(text, prefix + "p999", times.getValueAtPercentile(99.9));
    put(text, prefix + "max", times.getMaxValue());
  }

  private static void put(StringBuilder text, String key, double value) {
    text.append(String.format(Locale.ROOT, "%s=%.3f ", key, value));
  }
}
