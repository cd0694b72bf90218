package dev.highwater.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options RocksDB says it runs with: it writes them to a file at every opening, after it has
 * corrected what it did not like.
 */
final class RunningOptions {

  /** What durability rests on. RocksDB may change options silently; these it must not. */
  private static final Map<String, String> VITAL =
      Map.ofEntries(
          Map.entry("max_bgerror_resume_count", "0"),
          Map.entry("paranoid_checks", "true"),
          Map.entry("recycle_log_file_num", "0"),
          Map.entry("avoid_flush_during_recovery", "false"),
          Map.entry("manual_wal_flush", "false"),
          Map.entry("unordered_write", "false"),
          Map.entry("two_write_queues", "false"),
          Map.entry("enable_pipelined_write", "false"),
          Map.entry("allow_mmap_writes", "false"),
          Map.entry("best_efforts_recovery", "false"));

  private final Path file;
  private final Map<String, Map<String, String>> sections;

  private RunningOptions(Path file, Map<String, Map<String, String>> sections) {
    this.file = file;
    this.sections = sections;
  }

  /** Reads the newest options file of a database that is open. */
  static RunningOptions of(Path database) throws StoreException {
    try (var files = Files.list(database)) {
      Path newest =
          files
              .filter(file -> name(file).matches("OPTIONS-\\d+"))
              .max(Comparator.comparing(RunningOptions::name))
              .orElseThrow(() -> new StoreException("no OPTIONS file in " + database));
      return new RunningOptions(newest, parse(newest));
    } catch (IOException e) {
      throw new StoreException("cannot read the options of " + database + ": " + e, e);
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private static Map<String, Map<String, String>> parse(Path file) throws IOException {
    Map<String, Map<String, String>> sections = new HashMap<>();
    Map<String, String> section = new HashMap<>();
    for (String raw : Files.readAllLines(file)) {
      String line = raw.strip();
      int equals = line.indexOf('=');
      if (line.startsWith("[") && line.endsWith("]")) {
        section = new HashMap<>();
        sections.put(line.substring(1, line.length() - 1), section);
      } else if (equals > 0 && !line.startsWith("#")) {
        section.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return sections;
  }

  @Nullable String database(String option) {
    return in("DBOptions", option);
  }

  @Nullable String family(Family family, String option) {
    return in("CFOptions \"" + family.label() + "\"", option);
  }

  @Nullable String table(Family family, String option) {
    return in("TableOptions/BlockBasedTable \"" + family.label() + "\"", option);
  }

  private @Nullable String in(String section, String option) {
    return sections.getOrDefault(section, Map.of()).get(option);
  }

  /** Refuses a database that does not run with what durability rests on. */
  void mustHold() throws StoreException {
    for (var vital : VITAL.entrySet()) {
      String running = database(vital.getKey());
      if (!vital.getValue().equals(running)) {
        throw new StoreException(
            file
                + " says that RocksDB runs with "
                + vital.getKey()
                + "="
                + running
                + " and not "
                + vital.getValue());
      }
    }
  }
}
