package dev.highwater.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.Status;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;

/**
 * Every option the database runs with, and the native objects behind them. Nothing of RocksDB's
 * defaults that durability depends on is left to its next version: it is set here, and {@link
 * RunningOptions} checks what RocksDB made of it.
 *
 * <p>Closed after the database, in the reverse order of creation.
 */
final class RocksOptions implements AutoCloseable {
  private static final long MIB = 1024 * 1024;

  /**
   * Rows of hooks from this size on live in blob files, so that compaction does not rewrite them.
   */
  static final long BLOB_FROM = 1024;

  // A file in which half of 1,024 neighbouring entries are tombstones is compacted: queue families
  // are deleted from the front, and a scan pays for every tombstone it meets.
  private static final long TOMBSTONE_WINDOW = 1024;
  private static final long TOMBSTONE_TRIGGER = 512;

  private final Deque<AutoCloseable> natives = new ArrayDeque<>();
  private final AtomicReference<@Nullable String> backgroundError = new AtomicReference<>();
  private final DBOptions database;
  private final List<ColumnFamilyDescriptor> families = new ArrayList<>();

  RocksOptions(StoreSettings settings, WALRecoveryMode recovery) {
    RocksDB.loadLibrary();
    var cache = own(new LRUCache(settings.cacheBytes(), 4, false, 0.5));
    var memtables = own(new WriteBufferManager(settings.memtableBytes(), cache));
    database = own(database(settings, recovery, memtables, own(new Listener())));
    var bloom = own(new BloomFilter(10));
    for (var family : Family.values()) {
      families.add(
          new ColumnFamilyDescriptor(family.labelBytes(), family(family, settings, cache, bloom)));
    }
  }

  DBOptions database() {
    return database;
  }

  /** In the order of their numbers. */
  List<ColumnFamilyDescriptor> families() {
    return families;
  }

  /** What RocksDB reported from its own threads, or null. */
  @Nullable String backgroundError() {
    return backgroundError.get();
  }

  private static DBOptions database(
      StoreSettings settings,
      WALRecoveryMode recovery,
      WriteBufferManager memtables,
      AbstractEventListener listener) {
    return new DBOptions()
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setParanoidChecks(true)
        .setWalRecoveryMode(recovery)
        // Left alone, RocksDB resumes by itself after a full disk, and rows of a failed sync become
        // durable although their callers were told otherwise (G6).
        .setMaxBgErrorResumeCount(0)
        .setListeners(List.of(listener))
        // The rewriting of the log into a table file is what makes a reopening heal (G6).
        .setAvoidFlushDuringRecovery(false)
        .setRecycleLogFileNum(0)
        .setAllowMmapReads(false)
        .setAllowMmapWrites(false)
        .setManualWalFlush(false)
        .setEnablePipelinedWrite(false)
        .setTwoWriteQueues(false)
        .setUnorderedWrite(false)
        .setMaxTotalWalSize(settings.maxWalBytes())
        .setWalBytesPerSync(MIB)
        .setBytesPerSync(MIB)
        .setMaxBackgroundJobs(2)
        .setMaxOpenFiles(512)
        .setWriteBufferManager(memtables)
        .setAvoidUnnecessaryBlockingIO(true)
        .setMaxLogFileSize(8 * MIB)
        .setKeepLogFileNum(4);
  }

  private ColumnFamilyOptions family(
      Family family, StoreSettings settings, LRUCache cache, BloomFilter bloom) {
    var table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            // Whole keys only. A prefix filter on the due keys would make every scan that crosses a
            // prefix wrong unless it asked for total order, and bounds already keep scans short.
            .setFilterPolicy(bloom)
            .setWholeKeyFiltering(true);
    var options =
        own(base(family))
            .setTableFormatConfig(table)
            .setWriteBufferSize(settings.writeBufferBytes())
            .setMaxWriteBufferNumber(settings.writeBuffers())
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION);
    if (family == Family.HOOKS || family == Family.QUARANTINE) {
      options
          .setEnableBlobFiles(true)
          .setMinBlobSize(BLOB_FROM)
          .setBlobFileSize(64 * MIB)
          .setBlobCompressionType(CompressionType.LZ4_COMPRESSION)
          .setEnableBlobGarbageCollection(true)
          .setBlobGarbageCollectionAgeCutoff(0.5)
          .setBlobGarbageCollectionForceThreshold(0.5);
    }
    return options;
  }

  /** The collector can be set on {@code Options} only, and is copied from there. */
  private ColumnFamilyOptions base(Family family) {
    if (family == Family.DEFAULT || family == Family.QUARANTINE) {
      return new ColumnFamilyOptions();
    }
    var collector =
        own(
            TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(
                TOMBSTONE_WINDOW, TOMBSTONE_TRIGGER, 0.5));
    try (var options = new Options()) {
      options.setTablePropertiesCollectorFactory(List.of(collector));
      return new ColumnFamilyOptions(options);
    }
  }

  private <T extends AutoCloseable> T own(T nativeObject) {
    natives.push(nativeObject);
    return nativeObject;
  }

  @Override
  public void close() {
    while (!natives.isEmpty()) {
      try {
        natives.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("freeing native memory does not throw", e);
      }
    }
  }

  /**
   * Runs on RocksDB's threads, where an exception is lost and a call back would hang: it sets a
   * flag and declines recovery. Some errors never come by here; the exception on the thread that
   * wrote is the signal that counts.
   */
  private final class Listener extends AbstractEventListener {
    Listener() {
      super(EnabledEventCallback.ON_BACKGROUND_ERROR, EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN);
    }

    @Override
    public void onBackgroundError(@Nullable BackgroundErrorReason reason, @Nullable Status status) {
      note(reason, status);
    }

    @Override
    public boolean onErrorRecoveryBegin(
        @Nullable BackgroundErrorReason reason, @Nullable Status status) {
      note(reason, status);
      return false;
    }

    private void note(@Nullable BackgroundErrorReason reason, @Nullable Status status) {
      String what = status == null ? "unknown" : status.getCodeString() + " " + status.getState();
      backgroundError.compareAndSet(null, reason + ": " + what);
    }
  }
}
