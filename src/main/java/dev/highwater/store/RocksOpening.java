package dev.highwater.store;

import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the database, and refuses to when what it finds is not all that was promised (G8). In this
 * order: the directory is locked; a database that lost its beginning is not mistaken for a new one;
 * RocksDB opens it, or {@link Recovery} says whether only what was never acknowledged is damaged;
 * numbers of families and running options are as this version needs them; the format is known;
 * nothing below {@code durable.mark} is missing.
 */
final class RocksOpening implements StorageEngine.Factory {
  private static final Logger log = LoggerFactory.getLogger(RocksOpening.class);

  /** The layout this version reads and writes. */
  static final long FORMAT = 1;

  private final StoreSettings settings;
  private final DurableMarkFile mark;

  /** A reopening does not read the whole log twice: what it reads this process wrote. */
  private volatile boolean openedBefore;

  RocksOpening(StoreSettings settings) {
    this.settings = settings;
    this.mark = new DurableMarkFile(settings.durableMark());
  }

  /** Whether the directory is locked from one opening to the next, and not by each. */
  private volatile boolean held;

  @Override
  public StorageEngine.Hold hold() throws StoreException {
    var lock = DataDirectory.lock(settings.directory());
    held = true;
    return () -> {
      held = false;
      lock.release();
    };
  }

  @Override
  public StorageEngine open() throws StoreException {
    StorageEngine.Hold lock = held ? () -> {} : DataDirectory.lock(settings.directory());
    boolean opened = false;
    try {
      var engine = open(lock);
      opened = true;
      return engine;
    } finally {
      if (!opened) {
        lock.release();
      }
    }
  }

  private RocksEngine open(StorageEngine.Hold lock) throws StoreException {
    var recovery = new Recovery(settings);
    recovery.removeLeftovers();
    long promised = readMark();
    if (isNew()) {
      mustBeExpected(promised);
    } else {
      mustKnowFamilies();
      if (!openedBefore) {
        recovery.mustHaveNoHole(promised);
      }
    }
    RocksEngine engine;
    try {
      engine =
          openDatabase(
              settings.database(),
              settings,
              WALRecoveryMode.TolerateCorruptedTailRecords,
              lock::release);
    } catch (StoreException e) {
      if (FailureKind.of(e) != FailureKind.CORRUPTION) {
        throw e;
      }
      engine =
          openDatabase(
              settings.database(), settings, recovery.modeAfter(e, promised), lock::release);
    }
    boolean good = false;
    try {
      RunningOptions.of(settings.database()).mustHold();
      checkFormat(engine);
      checkNothingIsMissing(engine, promised);
      good = true;
      openedBefore = true;
      return engine;
    } catch (UnreadableValueException e) {
      throw new StoreException(
          "a marker of " + settings.database() + " is damaged: " + e.getMessage(), e);
    } finally {
      if (!good) {
        engine.close();
      }
    }
  }

  private long readMark() throws StoreException {
    try {
      return mark.read();
    } catch (StoreException e) {
      if (!settings.acceptLoss()) {
        throw new StoreException(
            e.getMessage()
                + ", so it is unknown whether acknowledged hooks are missing; set "
                + StoreSettings.ACCEPT_LOSS_KEY
                + ": true to go on without it",
            e);
      }
      log.warn("Going on without the durable mark: {}", e.getMessage());
      mark.discard();
      return 0;
    }
  }

  /** Whether there is no database yet; one that lost its beginning is refused. */
  private boolean isNew() throws StoreException {
    Path database = settings.database();
    if (!Files.exists(database)) {
      return true;
    }
    if (Files.exists(database.resolve("CURRENT"))) {
      return false;
    }
    try (var files = Files.list(database)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        boolean data = name.endsWith(".sst") || name.endsWith(".blob") || name.endsWith(".log");
        if (data && Files.size(file) > 0) {
          throw new StoreException(
              database + " holds data in " + name + ", but its file CURRENT is missing");
        }
      }
    } catch (IOException e) {
      throw new StoreException("cannot read " + database + ": " + e, e);
    }
    return true;
  }

  private void mustBeExpected(long promised) throws StoreException {
    if (promised > 0 && !settings.acceptLoss()) {
      throw missing(promised, 0, "there is no database in " + settings.database());
    }
  }

  private void mustKnowFamilies() throws StoreException {
    List<byte[]> found;
    try (var options = new Options()) {
      found = RocksDB.listColumnFamilies(options, settings.database().toString());
    } catch (RocksDBException e) {
      throw refusal(settings.database(), e);
    }
    var known = new ArrayList<String>();
    for (var family : Family.values()) {
      known.add(family.label());
    }
    for (byte[] label : found) {
      String name = new String(label, StandardCharsets.UTF_8);
      if (!known.contains(name)) {
        throw new StoreException(
            settings.database()
                + " was written by a newer version: it has a column family "
                + name
                + ", which this version does not know");
      }
    }
  }

  /** Opens RocksDB and checks that its families have the numbers batches name them by. */
  static RocksEngine openDatabase(
      Path path, StoreSettings settings, WALRecoveryMode mode, Runnable afterwards)
      throws StoreException {
    var options = new RocksOptions(settings, mode);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    RocksEngine engine;
    try {
      var database = RocksDB.open(options.database(), path.toString(), options.families(), handles);
      engine = new RocksEngine(options, database, handles, afterwards);
    } catch (RocksDBException e) {
      options.close();
      throw refusal(path, e);
    }
    for (var family : Family.values()) {
      int id = handles.get(family.id()).getID();
      if (id != family.id()) {
        engine.close();
        throw new StoreException(
            path + " knows the family " + family.label() + " as " + id + ", not " + family.id());
      }
    }
    return engine;
  }

  private static StoreException refusal(Path path, RocksDBException e) {
    String words = String.valueOf(e.getMessage());
    if (words.contains("LOCK") || words.contains("lock hold by current process")) {
      return DataDirectory.inUse(path, "another process");
    }
    return RocksEngine.failure("cannot open the database " + path, e);
  }

  private void checkFormat(RocksEngine engine) throws StoreException {
    byte[] stored = engine.get(Family.DEFAULT, Keys.format());
    if (stored == null) {
      if (!isEmpty(engine)) {
        throw new StoreException(settings.database() + " does not say which format it has");
      }
      var batch = new Batch(64);
      batch.put(Family.DEFAULT, Keys.format(), Keys.number(FORMAT));
      engine.write(batch, true);
      return;
    }
    long format = Keys.numberOf(stored);
    if (format != FORMAT) {
      throw new StoreException(
          settings.database()
              + " has format "
              + format
              + "; this version reads format "
              + FORMAT
              + (format > FORMAT ? ": it was written by a newer version" : ""));
    }
  }

  private static boolean isEmpty(RocksEngine engine) throws StoreException {
    byte[] first = {};
    byte[] last = {(byte) 0xFF, (byte) 0xFF};
    for (var family : Family.values()) {
      try (var rows = engine.scan(family, first, last, StorageEngine.Direction.FORWARD)) {
        if (rows.next()) {
          return false;
        }
      }
    }
    return true;
  }

  private void checkNothingIsMissing(RocksEngine engine, long promised) throws StoreException {
    long last = lastSeq(engine);
    if (last >= promised) {
      return;
    }
    var loss = missing(promised, last, "the log of " + settings.database() + " ends early");
    if (!settings.acceptLoss()) {
      throw loss;
    }
    log.warn("Going on as {} says: {}", StoreSettings.ACCEPT_LOSS_KEY, loss.getMessage());
    // The lost seqs were seen outside, so they are not given again (G3).
    var batch = new Batch(64);
    batch.put(Family.DEFAULT, Keys.nextSeq(), Keys.number(promised + 1));
    engine.write(batch, true);
  }

  /** The highest seq that was ever given, as the store says; 0 for a new one. */
  static long lastSeq(StorageEngine engine) throws StoreException {
    byte[] next = engine.get(Family.DEFAULT, Keys.nextSeq());
    return next == null ? 0 : Keys.numberOf(next) - 1;
  }

  static StoreException missing(long promised, long found, String why) {
    return new StoreException(
        why
            + ": up to "
            + (promised - found)
            + " acknowledged hooks (seq "
            + (found + 1)
            + " to "
            + promised
            + ") are missing; restore a backup, or set "
            + StoreSettings.ACCEPT_LOSS_KEY
            + ": true to go on without them");
  }
}
