package benchmark.rig;

/** A row that cannot be run on this machine; the message says why. */
final class SkippedException extends Exception {
  SkippedException(String reason) {
    super(reason);
  }
}
