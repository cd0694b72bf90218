package dev.highwater.queue;

import dev.highwater.codec.DedupeValue;
import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine.Cursor;
import dev.highwater.store.StorageEngine.Direction;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes dedupe keys whose window is over. Belongs to the writer's thread, so it cannot race a
 * hook that uses the key anew. What it removes may come back in a crash and is removed again.
 */
final class DedupeExpiry {
  private static final Logger log = LoggerFactory.getLogger(DedupeExpiry.class);
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_PER_PASS = 1_000;

  private final LongSupplier nanoTime;
  private long next;

  /** Everything below is removed: a scan that began before would walk over the tombstones again. */
  private byte[] floor = Keys.first(Keys.DEDUPE_EXPIRY);

  DedupeExpiry(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.next = nanoTime.getAsLong() + EVERY_NANOS;
  }

  /** Nanoseconds until a sweep is due; at least 1. */
  long nanosToNext() {
    return Math.max(1, next - nanoTime.getAsLong());
  }

  boolean isDue() {
    return nanoTime.getAsLong() - next >= 0;
  }

  /** Forgets how far it has come: a clean-up has put expiry rows back. */
  void startOver() {
    floor = Keys.first(Keys.DEDUPE_EXPIRY);
  }

  /** Removes up to {@value #MOST_PER_PASS} keys that have expired at {@code now}. */
  void sweep(Store store, long now) throws StoreException {
    // Set first: a sweep that fails is tried again at the next turn and not at once.
    next = nanoTime.getAsLong() + EVERY_NANOS;
    try (StoreLease lease = store.lease()) {
      sweep(lease, now);
    }
  }

  private void sweep(StoreLease lease, long now) throws StoreException {
    var batch = new Batch();
    int seen = 0;
    byte[] last = floor;
    try (Cursor cursor =
        lease.scan(
            Family.INDEX, floor, Keys.dedupeExpiry(now + 1, new byte[0]), Direction.FORWARD)) {
      while (seen < MOST_PER_PASS && cursor.next()) {
        last = cursor.key();
        removeExpired(lease, batch, last, now);
        batch.delete(Family.INDEX, last);
        seen++;
      }
    }
    if (seen > 0) {
      lease.write(batch);
      floor = last;
    }
    if (seen == MOST_PER_PASS) {
      next = nanoTime.getAsLong();
    }
  }

  private static void removeExpired(StoreLease lease, Batch batch, byte[] expiryKey, long now)
      throws StoreException {
    byte[] dedupeKey;
    try {
      dedupeKey = Keys.dedupeKeyOf(expiryKey);
    } catch (UnreadableValueException e) {
      // It names no key. It goes like the others, or every sweep would end here.
      log.warn("A dedupe expiry row is damaged and is removed: {}", e.getMessage());
      return;
    }
    DedupeValue value = DedupeValue.decodeOrNull(lease.get(Family.INDEX, dedupeKey));
    // The key may have been taken again since; then its own expiry row is further on.
    if (value == null || value.expiresAt() <= now) {
      batch.delete(Family.INDEX, dedupeKey);
    }
  }
}
