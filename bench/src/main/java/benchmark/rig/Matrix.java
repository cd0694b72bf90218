package benchmark.rig;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Runs every cell, each on a server and a data directory of its own, and reports. */
final class Matrix {
  /** Both sides compile code when the way of asking changes, and that is no part of an answer. */
  private static final int RUN_IN_SECONDS = 3;

  private final Options options;

  Matrix(Options options) {
    this.options = options;
  }

  void run() throws IOException {
    var report = new Report(options);
    for (Cell cell : rounds()) {
      System.out.println(cell);
      try {
        Measured measured = measure(cell);
        report.add(cell, measured);
        System.out.println("    " + measured.brief());
      } catch (SkippedException e) {
        System.out.println("    skipped: " + e.getMessage());
        report.skip(cell, e.getMessage());
      } catch (IOException e) {
        System.out.println("    failed: " + e.getMessage());
        report.skip(
            cell, "failed: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
      // After every cell: a run that is broken off leaves what it has.
      report.write();
    }
    System.out.println("wrote " + report.markdown() + " and " + report.csv());
  }

  /** All cells, and all of them again: what drifts on the machine then falls on every row alike. */
  private List<Cell> rounds() {
    List<Cell> rounds = new ArrayList<>();
    for (int round = 0; round < options.rounds; round++) {
      rounds.addAll(cells());
    }
    return rounds;
  }

  private List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int connections : options.connections) {
      for (int body : options.bodies) {
        for (int latency : options.latencies) {
          for (Row row : options.only) {
            // Without a disk there is nothing to slow down.
            if (latency > 0 && !row.hasDisk()) {
              continue;
            }
            for (int pool : row == Row.E ? options.pools : List.of(0)) {
              cells.add(new Cell(row, connections, body, latency, pool));
            }
          }
        }
      }
    }
    return cells;
  }

  private Measured measure(Cell cell) throws IOException, SkippedException {
    Path home = freshHome("cell");
    try (var sink = cell.row() == Row.G ? Sink.fast() : Sink.hanging();
        var server = Server.start(cell.row(), home, cell.latency(), cell.pool(), sink.port());
        var allocation = Allocation.of(server.child)) {
      List<Counters> edges = new ArrayList<>();
      String rate = options.rate > 0 ? Double.toString(options.rate) : options.share * 100 + "%";
      List<Load.Result> results =
          Load.run(
              server.port,
              cell.connections(),
              cell.bodyBytes(),
              edge -> edges.add(Counters.of(cell.row(), server, allocation)),
              "warm:" + options.warm,
              "closed:" + options.seconds,
              "runin:" + RUN_IN_SECONDS + ":" + rate,
              "open:" + options.seconds + ":" + rate);
      return new Measured(
          results.get(0),
          results.get(1),
          edges.get(1).minus(edges.get(0)),
          edges.get(3).minus(edges.get(2)),
          server.child.residentBytes(),
          options.wrk && cell.row() != Row.C
              ? Wrk.run(server.port, cell, options.seconds)
              : Double.NaN,
          server.note);
    } finally {
      delete(home);
    }
  }

  /** An empty directory below target/data. */
  static Path freshHome(String name) throws IOException {
    Path home = Options.target().resolve("data").resolve(name).toAbsolutePath();
    delete(home);
    return Files.createDirectories(home);
  }

  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
