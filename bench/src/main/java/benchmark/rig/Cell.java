package benchmark.rig;

/** One measurement of the matrix. */
record Cell(Row row, int connections, int bodyBytes, int latency, int pool) {
  String where() {
    return connections + " connections, " + bodyBytes + " B, +" + latency + " ms";
  }

  @Override
  public String toString() {
    return row.label()
        + " ("
        + row.title
        + (row == Row.E ? ", pool " + pool : "")
        + "), "
        + where();
  }
}
