package benchmark.load;

import java.util.concurrent.TimeUnit;

/** A part of a run. */
sealed interface Phase {
  /** Closed loop, not measured. */
  record Warm(long nanos) implements Phase {}

  /** Every connection sends its next request when the last one is answered. */
  record Closed(long nanos) implements Phase {}

  /** Closed loop until so many were answered. */
  record Count(long requests) implements Phase {}

  /**
   * Requests leave at fixed times, whatever has been answered.
   *
   * @param rate a second; 0 means that share of what the last closed phase got through
   * @param measured false to run in: both sides compile code for this way of asking
   */
  record Open(long nanos, double rate, double share, boolean measured) implements Phase {}

  default boolean isMeasured() {
    return switch (this) {
      case Warm warm -> false;
      case Closed closed -> true;
      case Count count -> true;
      case Open open -> open.measured();
    };
  }

  /**
   * Of {@code warm:5}, {@code closed:20}, {@code count:100000}, {@code runin:3:70%}, {@code
   * open:20:70%} or {@code open:20:5000}.
   */
  static Phase parse(String text) {
    String[] parts = text.split(":");
    return switch (parts[0]) {
      case "warm" -> new Warm(nanos(parts[1]));
      case "closed" -> new Closed(nanos(parts[1]));
      case "count" -> new Count(Long.parseLong(parts[1]));
      case "runin" -> open(parts, false);
      case "open" -> open(parts, true);
      default -> throw new IllegalArgumentException("not a phase: " + text);
    };
  }

  private static Open open(String[] parts, boolean measured) {
    boolean share = parts[2].endsWith("%");
    double number = Double.parseDouble(parts[2].replace("%", ""));
    return new Open(nanos(parts[1]), share ? 0 : number, share ? number / 100 : 0, measured);
  }

  private static long nanos(String seconds) {
    return (long) (Double.parseDouble(seconds) * TimeUnit.SECONDS.toNanos(1));
  }
}
