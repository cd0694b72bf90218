package benchmark.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tables: one for people, one for programs. */
final class Report {
  private final Options options;
  private final Map<Cell, List<Measured>> rounds = new LinkedHashMap<>();
  private final List<String> skipped = new ArrayList<>();

  Report(Options options) {
    this.options = options;
  }

  void add(Cell cell, Measured measured) {
    rounds.computeIfAbsent(cell, none -> new ArrayList<>()).add(measured);
  }

  void skip(Cell cell, String reason) {
    skipped.add(cell + ": " + reason);
  }

  /** Of each cell the round whose throughput is the median, whole: no number of another one is mixed in. */
  private Map<Cell, Measured> cells() {
    Map<Cell, Measured> medians = new LinkedHashMap<>();
    rounds.forEach(
        (cell, measured) ->
            medians.put(
                cell,
                measured.stream()
                    .sorted(Comparator.comparingDouble(Measured::rate))
                    .toList()
                    .get(measured.size() / 2)));
    return medians;
  }

  Path markdown() {
    return Options.target().resolve("results.md");
  }

  Path csv() {
    return Options.target().resolve("results.csv");
  }

  void write() throws IOException {
    var text = new StringBuilder();
    text.append(
        """
        | row | conns | body | +fsync ms | hooks/s | open at /s | p50 ms | p99 ms | p99.9 ms | max ms | CPU µs/hook | + store's | fsyncs/s | hooks/fsync | KiB alloc/hook | RSS MB | wrk hooks/s | errors, notes |
        |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
        """);
    cells().forEach((cell, measured) -> text.append(line(cell, measured)));
    text.append('\n').append(ratios()).append('\n');
    for (String reason : skipped) {
      text.append("Skipped: ").append(reason).append("\n\n");
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%d round(s); %d s warm-up, %d s closed loop, %d s open loop at %s; %d processors, Java %s, kernel %s.%n",
            options.rounds,
            options.warm,
            options.seconds,
            options.seconds,
            options.rate > 0
                ? options.rate + " hooks/s"
                : Math.round(options.share * 100) + " % of the closed loop",
            Runtime.getRuntime().availableProcessors(),
            Runtime.version(),
            System.getProperty("os.version")));
    Files.writeString(markdown(), text);
    Files.writeString(csv(), table());
  }

  private static String line(Cell cell, Measured m) {
    return "| **%s** %s%s | %d | %d | %d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %d | %s | %s |%n"
        .formatted(
            cell.row().label(),
            cell.row().title,
            cell.row() == Row.E ? ", pool " + cell.pool() : "",
            cell.connections(),
            cell.bodyBytes(),
            cell.latency(),
            number(m.rate(), 0),
            number(m.open().get("intended"), 0),
            number(m.open().get("p50") / 1e3, 2),
            number(m.open().get("p99") / 1e3, 2),
            number(m.open().get("p999") / 1e3, 2),
            number(m.open().get("max") / 1e3, 1),
            number(m.cpuMicros(), 0),
            number(m.backendCpuMicros(), 0),
            number(m.syncsPerSecond(), 0),
            number(m.hooksPerSync(), 1),
            number(m.allocatedKilobytes(), 1),
            m.resident() >> 20,
            number(m.wrk(), 0),
            m.errors().isEmpty() ? m.note() : "ERRORS " + m.errors() + " " + m.note());
  }

  /**
   * Closed-loop throughput of Highwater's rows against the others', within one place of the matrix.
   */
  private String ratios() {
    Map<String, Map<Row, Double>> places = new LinkedHashMap<>();
    cells().forEach(
        (cell, measured) ->
            places
                .computeIfAbsent(cell.where(), where -> new LinkedHashMap<>())
                .merge(cell.row(), measured.rate(), Math::max));
    // What has no disk is measured once; it is what the slower disks are compared with too.
    var bare = new LinkedHashMap<String, Map<Row, Double>>();
    places.forEach(
        (where, rates) -> {
          if (where.endsWith("+0 ms")) {
            bare.put(where.replaceAll("\\+.*", ""), rates);
          }
        });
    var text =
        new StringBuilder(
            "| throughput ratio | b/a0 | b/a | c/a0 | c/a | b/d | c/e | c/f |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
    places.forEach(
        (where, rates) -> {
          Map<Row, Double> all = new LinkedHashMap<>(rates);
          bare.getOrDefault(where.replaceAll("\\+.*", ""), Map.of())
              .forEach(
                  (row, rate) -> {
                    if (!row.hasDisk()) {
                      all.putIfAbsent(row, rate);
                    }
                  });
          text.append("| ").append(where);
          for (Row[] pair :
              new Row[][] {
                {Row.B, Row.A0},
                {Row.B, Row.A},
                {Row.C, Row.A0},
                {Row.C, Row.A},
                {Row.B, Row.D},
                {Row.C, Row.E},
                {Row.C, Row.F}
              }) {
            double ratio =
                all.getOrDefault(pair[0], Double.NaN) / all.getOrDefault(pair[1], Double.NaN);
            text.append(" | ").append(number(ratio, 2));
          }
          text.append(" |\n");
        });
    return text.toString();
  }

  private String table() {
    var text =
        new StringBuilder(
            "row,title,connections,body,latency_ms,pool,closed_rate,closed_p50_us,closed_p99_us,"
                + "closed_p999_us,closed_max_us,open_intended,open_rate,open_p50_us,open_p99_us,"
                + "open_p999_us,open_max_us,cpu_us,store_cpu_us,generator_cpu_us,fsyncs_per_s,"
                + "hooks_per_fsync,alloc_kib,open_cpu_us,rss_bytes,wrk_rate,errors,note\n");
    cells().forEach(
        (cell, m) -> {
          List<Object> fields = new ArrayList<>();
          fields.addAll(
              List.of(
                  cell.row().label(),
                  '"' + cell.row().title + '"',
                  cell.connections(),
                  cell.bodyBytes(),
                  cell.latency(),
                  cell.pool(),
                  m.rate()));
          for (String key : List.of("p50", "p99", "p999", "max")) {
            fields.add(m.closed().get(key));
          }
          fields.add(m.open().get("intended"));
          fields.add(m.open().get("rate"));
          for (String key : List.of("p50", "p99", "p999", "max")) {
            fields.add(m.open().get(key));
          }
          fields.addAll(
              List.of(
                  m.cpuMicros(),
                  m.backendCpuMicros(),
                  m.generatorCpuMicros(),
                  m.syncsPerSecond(),
                  m.hooksPerSync(),
                  m.allocatedKilobytes(),
                  m.openCounters().cpu() * 1e6 / m.open().get("ok"),
                  m.resident(),
                  m.wrk(),
                  '"' + m.errors() + '"',
                  '"' + m.note() + '"'));
          text.append(
              fields.stream()
                  .map(field -> field instanceof Double d ? plain(d) : field.toString())
                  .collect(java.util.stream.Collectors.joining(",")));
          text.append('\n');
        });
    return text.toString();
  }

  private static String plain(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : "";
  }

  static String number(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%,." + digits + "f", value) : "–";
  }
}
