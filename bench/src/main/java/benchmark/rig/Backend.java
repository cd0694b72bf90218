package benchmark.rig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a row writes to: an instance of its own where that can be started, with its data beside
 * everybody else's.
 *
 * @param child the process, or null where it is none of ours
 * @param url how its client finds it
 * @param note what a reader of the numbers must know
 */
record Backend(Child child, String url, String note) implements AutoCloseable {
  static final Backend NONE = new Backend(null, "", "");

  /** PostgreSQL with its settings as they come: fsync and synchronous_commit are on. */
  static Backend postgres(Path home, int latency) throws IOException, SkippedException {
    Path programs = postgresPrograms();
    if (programs == null) {
      return running(latency);
    }
    boolean root = "root".equals(System.getProperty("user.name"));
    Files.createDirectories(home);
    List<String> as = List.of();
    if (root) {
      // PostgreSQL refuses to run as root.
      as = List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups");
      run(List.of("chown", "postgres", home.toString()));
    }
    Path data = home.resolve("data");
    int port = Child.freePort();
    try {
      run(
          with(
              as,
              programs.resolve("initdb").toString(),
              "-D",
              data.toString(),
              "-U",
              "postgres",
              "-A",
              "trust"));
    } catch (IOException e) {
      System.out.println(
          "no PostgreSQL of its own here: " + e.getMessage().lines().findFirst().orElse(""));
      return running(latency);
    }
    var child =
        Child.start(
            home,
            SlowDisk.environment(home, "pg_wal", latency),
            with(
                as,
                programs.resolve("postgres").toString(),
                "-D",
                data.toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories="));
    child.awaitPort(port);
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    child.await("PostgreSQL", () -> postgresAnswers(url));
    return new Backend(child, url, "");
  }

  private static Backend running(int latency) throws SkippedException {
    String url = "jdbc:postgresql://127.0.0.1:5432/test";
    if (!postgresAnswers(url)) {
      throw new SkippedException(
          "PostgreSQL's programs are not here, and none answers on 127.0.0.1:5432 (user postgres,"
              + " database test)");
    }
    if (latency > 0) {
      throw new SkippedException(
          "the disk of a PostgreSQL that runs already cannot be made slower");
    }
    return new Backend(null, url, "the PostgreSQL that ran already");
  }

  private static boolean postgresAnswers(String url) {
    try (var connection = DriverManager.getConnection(url, "postgres", "")) {
      return connection.isValid(2);
    } catch (SQLException e) {
      return false;
    }
  }

  private static Path postgresPrograms() throws IOException {
    Path debian = Path.of("/usr/lib/postgresql");
    if (Files.isDirectory(debian)) {
      try (Stream<Path> versions = Files.list(debian)) {
        return versions
            .map(version -> version.resolve("bin"))
            .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
            .max(Path::compareTo)
            .orElse(null);
      }
    }
    return onPath("initdb");
  }

  private static Path onPath(String program) {
    for (String folder : System.getenv("PATH").split(":")) {
      if (Files.isExecutable(Path.of(folder, program))) {
        return Path.of(folder);
      }
    }
    return null;
  }

  /** Redis that syncs its file before it answers. */
  static Backend redis(Path home, int latency) throws IOException, SkippedException {
    if (onPath("redis-server") == null) {
      throw new SkippedException("redis-server is not on the PATH");
    }
    int port = Child.freePort();
    var child =
        Child.start(
            home,
            SlowDisk.environment(home, ".aof", latency),
            List.of(
                "redis-server",
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                home.toString(),
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
                "--save",
                "",
                // A rewrite in the middle of a run would be measured with it.
                "--auto-aof-rewrite-percentage",
                "0"));
    child.awaitPort(port);
    return new Backend(child, "redis://127.0.0.1:" + port, "no dedupe");
  }

  /** NATS with file storage, synced at every message where this version can do that. */
  static Backend nats(Path home, int latency) throws IOException, SkippedException {
    if (onPath("nats-server") == null) {
      throw new SkippedException("nats-server is not on the PATH");
    }
    if (latency > 0) {
      throw new SkippedException(
          "nats-server calls the kernel without the C library, so its disk cannot be made slower");
    }
    int port = Child.freePort();
    Files.createDirectories(home);
    Path file = home.resolve("nats.conf");
    boolean synced = true;
    Files.writeString(file, natsSettings(port, home, "sync_interval: always"));
    try {
      run(List.of("nats-server", "-c", file.toString(), "-t"));
    } catch (IOException e) {
      synced = false;
      Files.writeString(file, natsSettings(port, home, ""));
    }
    var child = Child.start(home, Map.of(), List.of("nats-server", "-c", file.toString()));
    child.awaitPort(port);
    return new Backend(
        child,
        "nats://127.0.0.1:" + port,
        synced
            ? "synced at every message"
            : "NOT DURABLE: this nats-server has no sync_interval: always and answers before it syncs");
  }

  private static String natsSettings(int port, Path home, String sync) {
    return "listen: 127.0.0.1:%d\njetstream {\n  store_dir: \"%s\"\n  %s\n}\n"
        .formatted(port, home.resolve("data"), sync);
  }

  /** How often it has synced its log; NaN where it does not say. */
  double syncs() {
    if (!url.startsWith("jdbc:")) {
      return Double.NaN;
    }
    try (var connection = DriverManager.getConnection(url, "postgres", "");
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select wal_sync from pg_stat_wal")) {
      return rows.next() ? rows.getDouble(1) : Double.NaN;
    } catch (SQLException e) {
      return Double.NaN; // before version 14
    }
  }

  private static List<String> with(List<String> start, String... more) {
    List<String> all = new ArrayList<>(start);
    all.addAll(List.of(more));
    return all;
  }

  static void run(List<String> command) throws IOException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IOException(command.getFirst() + " failed: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    if (child != null) {
      child.close();
    }
  }
}
