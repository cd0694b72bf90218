package dev.highwater.store;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How the store is kept. Sizes are in bytes.
 *
 * @param directory the data directory: the database and the small files beside it
 * @param minFreeBytes below this much free disk nothing new is taken in; 0 never looks
 * @param ballastBytes size of a file that is kept only to be deleted when the disk is full, because
 *     reopening needs about as much disk as the log is long; 0 keeps none
 * @param tick how often the disk is looked at and the registered callbacks run
 * @param reopenMinInterval the least time between an opening and the next closing
 * @param reopenBackoff the wait after the first failed reopening; doubles with each
 * @param reopenBackoffMax the longest wait between two tries to reopen
 * @param cacheBytes memory for blocks, indexes and filters; {@code memtableBytes} is part of it
 * @param memtableBytes memory for rows that are not in table files yet, over all families
 * @param writeBufferBytes when one family's rows go to a table file
 * @param writeBuffers how many write buffers a family may have before its writes stop; all but one
 *     can wait for a slow disk
 * @param maxWalBytes the longest the log gets before the oldest rows go to table files
 * @param acceptLoss open although acknowledged hooks are missing
 */
public record StoreSettings(
    Path directory,
    long minFreeBytes,
    long ballastBytes,
    Duration tick,
    Duration reopenMinInterval,
    Duration reopenBackoff,
    Duration reopenBackoffMax,
    long cacheBytes,
    long memtableBytes,
    long writeBufferBytes,
    int writeBuffers,
    long maxWalBytes,
    boolean acceptLoss) {

  /** How an operator names the wish to open a store from which acknowledged hooks are missing. */
  public static final String ACCEPT_LOSS_KEY = "highwater.store.accept-loss";

  private static final long MIB = 1024 * 1024;

  public StoreSettings {
    check(minFreeBytes >= 0, "min-free must not be negative");
    check(
        ballastBytes == 0 || ballastBytes >= maxWalBytes,
        "ballast must be 0 or at least highwater.store.max-wal, or a full disk could not be"
            + " recovered from");
    check(positive(tick), "tick must be longer than 0");
    check(!reopenMinInterval.isNegative(), "reopen-min-interval must not be negative");
    check(positive(reopenBackoff), "reopen-backoff must be longer than 0");
    check(
        reopenBackoffMax.compareTo(reopenBackoff) >= 0,
        "reopen-backoff-max must be at least highwater.store.reopen-backoff");
    check(memtableBytes >= MIB, "memtables must be at least 1 MiB");
    check(cacheBytes >= memtableBytes, "cache must be at least highwater.store.memtables");
    check(writeBufferBytes >= 64 * 1024, "write-buffer must be at least 64 KiB");
    check(writeBuffers >= 2 && writeBuffers <= 16, "write-buffers must be 2 to 16");
    check(maxWalBytes >= MIB, "max-wal must be at least 1 MiB");
  }

  /** What is right for most machines. */
  public static StoreSettings defaults(Path directory) {
    return new StoreSettings(
        directory,
        512 * MIB,
        192 * MIB,
        Duration.ofSeconds(1),
        Duration.ofMillis(100),
        Duration.ofMillis(100),
        Duration.ofSeconds(5),
        256 * MIB,
        128 * MIB,
        32 * MIB,
        4,
        128 * MIB,
        false);
  }

  /** Where RocksDB's files are. */
  Path database() {
    return directory.resolve("db");
  }

  /** Where it is written down up to which seq everything is known to be on disk. */
  public Path durableMark() {
    return directory.resolve("durable.mark");
  }

  /** Where it is written down which seqs a fence left behind. */
  public Path fenced() {
    return directory.resolve("FENCED");
  }

  Path ballast() {
    return directory.resolve("ballast");
  }

  private static boolean positive(Duration duration) {
    return !duration.isNegative() && !duration.isZero();
  }

  private static void check(boolean holds, String complaint) {
    if (!holds) {
      throw new IllegalArgumentException("highwater.store." + complaint);
    }
  }
}
