package dev.highwater.store;

import java.util.Map;

/**
 * The store's numbers, for meters and health.
 *
 * @param generation how often the store was opened
 * @param open whether leases are given
 * @param leases how many leases are out
 * @param reopens reopenings that worked
 * @param failedReopens reopenings that did not
 * @param writeFailures failed writes, flushes and syncs, by kind; every kind is present
 * @param lastWriteAt when a write or sync last succeeded, in epoch milliseconds; 0 is never
 * @param freeBytes free disk in the data directory at the last tick; -1 is not known
 * @param hasRoom false while nothing new should be taken in for lack of disk
 * @param engine as of the last tick; all zero while the store is not open
 */
public record StoreStats(
    long generation,
    boolean open,
    long leases,
    long reopens,
    long failedReopens,
    Map<FailureKind, Long> writeFailures,
    long lastWriteAt,
    long freeBytes,
    boolean hasRoom,
    EngineStats engine) {}
