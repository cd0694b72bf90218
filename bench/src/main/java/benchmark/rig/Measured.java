package benchmark.rig;

import java.util.Locale;

/**
 * What a cell came to.
 *
 * @param closed the closed loop: how much gets through
 * @param open the open loop: what it is like at a part of that
 * @param closedCounters what the server's counters grew by in the closed loop
 * @param openCounters the same in the open loop
 * @param resident memory of the server at the end
 * @param wrk what wrk got through, NaN if it was not asked
 */
record Measured(
    Load.Result closed,
    Load.Result open,
    Counters closedCounters,
    Counters openCounters,
    long resident,
    double wrk,
    String note) {

  double rate() {
    return closed.get("rate");
  }

  double hooks() {
    return closed.get("ok");
  }

  double cpuMicros() {
    return closedCounters.cpu() * 1e6 / hooks();
  }

  double backendCpuMicros() {
    return closedCounters.backendCpu() * 1e6 / hooks();
  }

  double generatorCpuMicros() {
    return closed.get("generator_cpu") * 1e6 / hooks();
  }

  double syncsPerSecond() {
    return closedCounters.syncs() / closed.get("seconds");
  }

  double hooksPerSync() {
    return hooks() / closedCounters.syncs();
  }

  double allocatedKilobytes() {
    return closedCounters.allocated() / hooks() / 1024;
  }

  String errors() {
    String inClosed = closed.errors();
    String inOpen = open.errors();
    return (inClosed.isEmpty() ? "" : "closed " + inClosed)
        + (inClosed.isEmpty() || inOpen.isEmpty() ? "" : "; ")
        + (inOpen.isEmpty() ? "" : "open " + inOpen)
        // They are answered 201 and cost less: a run with any says nothing.
        + (closedCounters.duplicates() > 0 ? " duplicates " + closedCounters.duplicates() : "");
  }

  String brief() {
    return String.format(
        Locale.ROOT,
        "%.0f hooks/s; at %.0f/s p50 %.2f p99 %.2f p99.9 %.2f ms; %.0f us CPU a hook%s%s",
        rate(),
        open.get("intended"),
        open.get("p50") / 1e3,
        open.get("p99") / 1e3,
        open.get("p999") / 1e3,
        cpuMicros(),
        errors().isEmpty() ? "" : "; ERRORS " + errors(),
        note.isEmpty() ? "" : "; " + note);
  }
}
