package benchmark.rig;

/** A server's counters at one moment. */
record Counters(double cpu, double backendCpu, double syncs, double allocated, double duplicates) {
  static Counters of(Row row, Server server, Allocation allocation) {
    double cpu = server.child.cpuSeconds();
    Backend backend = server.backend;
    return new Counters(
        cpu,
        backend.child() == null ? Double.NaN : backend.child().cpuSeconds(),
        // Row d syncs once per group; its syncer's own are empty.
        row.isHighwater()
            ? server.meter(
                row == Row.D ? "highwater_queue_groups_total" : "highwater_queue_syncs_total")
            : backend.syncs(),
        allocation.bytes(),
        row.isHighwater() ? server.meter("highwater_queue_duplicates_total") : 0);
  }

  Counters minus(Counters before) {
    return new Counters(
        cpu - before.cpu,
        backendCpu - before.backendCpu,
        syncs - before.syncs,
        allocated - before.allocated,
        duplicates - before.duplicates);
  }
}
