package benchmark.rig;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What was asked for on the command line. */
final class Options {
  /** What to do. */
  enum Mode {
    MATRIX,
    SCALE,
    OVERLOAD
  }

  Mode mode = Mode.MATRIX;
  Set<Row> only = EnumSet.allOf(Row.class);
  List<Integer> connections = List.of(128);
  List<Integer> bodies = List.of(1024);
  List<Integer> latencies = List.of(0, 1, 5, 20);
  List<Integer> pools = List.of(32);
  int seconds = 20;
  int warm = 15;
  int rounds = 1;
  double share = 0.7;
  double rate;
  long scale = 1_000_000;
  boolean wrk;

  static Options parse(String[] args) {
    var options = new Options();
    for (int i = 0; i < args.length; i++) {
      String name = args[i];
      switch (name) {
        case "--quick" -> {
          options.seconds = 3;
          options.warm = 3;
          options.latencies = List.of(0);
        }
        case "--wrk" -> options.wrk = true;
        case "--overload" -> options.mode = Mode.OVERLOAD;
        default -> {
          if (i + 1 == args.length) {
            throw new IllegalArgumentException(name + " is not an option, or needs a value");
          }
          options.set(name, args[++i]);
        }
      }
    }
    return options;
  }

  private void set(String name, String value) {
    switch (name) {
      case "--only" -> {
        only = EnumSet.noneOf(Row.class);
        for (String row : value.split(",")) {
          only.add(Row.of(row.strip()));
        }
      }
      case "--connections" -> connections = numbers(value);
      case "--bodies" -> bodies = numbers(value);
      case "--latency" -> latencies = numbers(value);
      case "--pool" -> pools = numbers(value);
      case "--seconds" -> seconds = Integer.parseInt(value);
      case "--warm" -> warm = Integer.parseInt(value);
      case "--rounds" -> rounds = Integer.parseInt(value);
      case "--share" -> share = Double.parseDouble(value);
      case "--rate" -> rate = Double.parseDouble(value);
      case "--scale" -> {
        mode = Mode.SCALE;
        scale = Long.parseLong(value.replace("_", ""));
      }
      default -> throw new IllegalArgumentException(name + " is not an option");
    }
  }

  private static List<Integer> numbers(String text) {
    return new ArrayList<>(
        Arrays.stream(text.split(",")).map(String::strip).map(Integer::valueOf).toList());
  }

  /** Where everything is that lives on disk; never a tmpfs. */
  static Path target() {
    return Path.of(System.getProperty("bench.target"));
  }
}
