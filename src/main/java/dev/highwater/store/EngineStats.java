package dev.highwater.store;

/**
 * What the database says of itself. Sizes in bytes.
 *
 * @param memtableBytes rows that are only in the log and in memory, and what is being flushed
 * @param tableBytes table files, without blob files
 * @param blobBytes blob files
 * @param blobGarbageBytes the part of the blob files nothing refers to any more
 * @param cacheBytes what the block cache holds, memtables included
 * @param pendingCompactionBytes what compaction has to rewrite
 * @param runningFlushes memtables being written to table files now
 * @param runningCompactions compactions running now
 * @param writeStopped whether RocksDB holds all writes back
 * @param delayedWriteRate the rate in bytes a second to which writes are slowed down; 0 is not at
 *     all
 * @param backgroundErrors failures of flushes and compactions since the opening
 */
public record EngineStats(
    long memtableBytes,
    long tableBytes,
    long blobBytes,
    long blobGarbageBytes,
    long cacheBytes,
    long pendingCompactionBytes,
    long runningFlushes,
    long runningCompactions,
    boolean writeStopped,
    long delayedWriteRate,
    long backgroundErrors) {

  /** Of a store that is not open. */
  public static final EngineStats NONE = new EngineStats(0, 0, 0, 0, 0, 0, 0, 0, false, 0, 0);
}
