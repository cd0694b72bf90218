package dev.highwater.store;

import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.rocksdb.WALRecoveryMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what a damaged log means. A power cut may write the pages of an unsynced tail out of
 * order; RocksDB then refuses, although all that was acknowledged can be read. A flipped byte looks
 * the same to it and is a loss. The difference is found on a copy: the groups after the damage
 * still carry the durable seq that was known when they were written, so what was promised is known,
 * and so is how far the log can be read without a hole. The original is not touched until that is
 * proved.
 */
final class Recovery {
  private static final Logger log = LoggerFactory.getLogger(Recovery.class);

  private final StoreSettings settings;
  private final Path probe;

  Recovery(StoreSettings settings) {
    this.settings = settings;
    this.probe = settings.directory().resolve("recovery-probe");
  }

  /** What a copy told. */
  private record Learned(long lastSeq, long knownDurable) {}

  /** Removes a copy that a crash left. */
  void removeLeftovers() throws StoreException {
    try {
      if (Files.exists(probe)) {
        removeProbe();
      }
    } catch (IOException e) {
      throw new StoreException("cannot remove " + probe + ": " + e, e);
    }
  }

  /**
   * Refuses a log with a hole below what was promised, of which RocksDB would say nothing.
   *
   * @param marked the seq of {@code durable.mark}
   */
  void mustHaveNoHole(long marked) throws StoreException {
    var scan = scan("cannot read the log");
    long promised = Math.max(marked, scan.knownDurable());
    if (scan.seqBeforeHole() < 0 || scan.seqBeforeHole() >= promised) {
      return;
    }
    var loss =
        RocksOpening.missing(
            promised,
            scan.seqBeforeHole(),
            "the log of " + settings.database() + " has a hole" + scan.place());
    if (!settings.acceptLoss()) {
      throw loss;
    }
    log.warn("Going on as {} says: {}", StoreSettings.ACCEPT_LOSS_KEY, loss.getMessage());
  }

  private LogScan.Findings scan(String otherwise) throws StoreException {
    try {
      return LogScan.of(settings.database());
    } catch (IOException e) {
      throw new StoreException(otherwise + " of " + settings.database() + ": " + e, e);
    }
  }

  /**
   * How a database that RocksDB refused as damaged may be opened.
   *
   * @param marked the seq of {@code durable.mark}
   * @throws StoreException if acknowledged hooks would be missing and the operator has not accepted
   *     that
   */
  WALRecoveryMode modeAfter(StoreException refusal, long marked) throws StoreException {
    var scan = scan(refusal.getMessage() + "; nor can one read the log");
    String damage = refusal.getMessage() + scan.place();
    long promised = Math.max(marked, scan.knownDurable());
    long readable;
    try {
      promised = Math.max(promised, learn(WALRecoveryMode.SkipAnyCorruptedRecords).knownDurable());
      readable = learn(WALRecoveryMode.PointInTimeRecovery).lastSeq();
    } catch (StoreException e) {
      var failure =
          new StoreException(
              damage + "; nor can a copy of it be opened: " + e.getMessage(), refusal);
      failure.addSuppressed(e);
      throw failure;
    }
    if (readable >= promised) {
      log.warn(
          "{}; everything acknowledged, up to seq {}, was proved to be readable: going on without"
              + " the rest of the log",
          damage,
          promised);
      return WALRecoveryMode.PointInTimeRecovery;
    }
    var loss = RocksOpening.missing(promised, readable, damage);
    if (!settings.acceptLoss()) {
      throw loss;
    }
    // The mode that loses least: it skips what is damaged and keeps what comes after.
    log.warn("Going on as {} says: {}", StoreSettings.ACCEPT_LOSS_KEY, loss.getMessage());
    return WALRecoveryMode.SkipAnyCorruptedRecords;
  }

  private Learned learn(WALRecoveryMode mode) throws StoreException {
    try {
      copy();
      var engine = RocksOpening.openDatabase(probe, settings, mode, () -> {});
      try {
        byte[] durable = engine.get(Family.DEFAULT, Keys.knownDurable());
        return new Learned(
            RocksOpening.lastSeq(engine), durable == null ? 0 : Keys.numberOf(durable));
      } finally {
        engine.close();
      }
    } catch (UnreadableValueException e) {
      throw new StoreException("a marker is damaged: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new StoreException("cannot copy the database to " + probe + ": " + e, e);
    } finally {
      removeLeftovers();
    }
  }

  /** Table and blob files never change, so links do; the rest is copied, as opening changes it. */
  private void copy() throws IOException {
    Files.createDirectory(probe);
    try (var files = Files.list(settings.database())) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        Path target = probe.resolve(name);
        if (name.endsWith(".sst") || name.endsWith(".blob")) {
          linkOrCopy(file, target);
        } else if (!name.startsWith("LOG") && !name.equals("LOCK") && Files.isRegularFile(file)) {
          Files.copy(file, target);
        }
      }
    }
  }

  private static void linkOrCopy(Path file, Path target) throws IOException {
    try {
      Files.createLink(target, file);
    } catch (UnsupportedOperationException | FileSystemException e) {
      log.debug("Copying {} because it cannot be linked: {}", file, e.toString());
      Files.copy(file, target);
    }
  }

  private void removeProbe() throws IOException {
    try (var files = Files.walk(probe)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
