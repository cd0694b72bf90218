package dev.highwater.queue;

import dev.highwater.codec.DedupeValue;
import dev.highwater.codec.DeliveryCodec;
import dev.highwater.codec.HookCodec;
import dev.highwater.codec.Keys;
import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Delivery;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.queue.Command.Change;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every row that one hook brings into the store, in one place, so that what a group writes and what
 * its clean-up removes cannot drift apart (G4, G5).
 */
final class HookRows {
  private HookRows() {}

  /**
   * What is remembered of a hook until it is durable: enough to remove it, without its body.
   *
   * @param dedupeKey its dedupe key in the store, or null
   * @param expiresAt when that key expires
   * @param replaced the value the dedupe key had before, or null
   */
  record Footprint(
      long seq,
      long at,
      HookId id,
      int[] sinkIds,
      byte @Nullable [] dedupeKey,
      long expiresAt,
      byte @Nullable [] replaced) {

    static Footprint of(Hook hook, byte @Nullable [] replaced) {
      DedupeKey dedupe = hook.content().dedupe();
      return new Footprint(
          hook.seq(),
          hook.at(),
          hook.content().id(),
          hook.sinkIds(),
          dedupe == null ? null : Keys.dedupe(hook.content().source(), dedupe.bytes()),
          dedupe == null ? 0 : expiryOf(hook.at(), dedupe),
          replaced);
    }
  }

  static long expiryOf(long at, DedupeKey dedupe) {
    return at + dedupe.window().toMillis();
  }

  /** Adds all rows of a hook to the batch. */
  static void put(Batch batch, Hook hook, byte[] encoded, Footprint footprint) {
    long seq = hook.seq();
    byte[] hookKey = Keys.hook(seq);
    batch.put(Family.HOOKS, hookKey, encoded);
    batch.put(Family.INDEX, Keys.byId(footprint.id()), Keys.number(seq));
    byte[] bodyBytes = Keys.number(hook.content().body().length);
    for (int sinkId : hook.sinkIds()) {
      batch.put(
          Family.DELIVERIES,
          Keys.delivery(seq, sinkId),
          DeliveryCodec.encode(Delivery.pending(seq, sinkId, hook.at())));
      batch.put(Family.INDEX, Keys.due(sinkId, hook.at(), seq), bodyBytes);
    }
    byte[] dedupeKey = footprint.dedupeKey();
    if (dedupeKey != null) {
      batch.put(
          Family.INDEX,
          dedupeKey,
          new DedupeValue(footprint.expiresAt(), seq, footprint.id()).encode());
      batch.put(Family.INDEX, Keys.dedupeExpiry(footprint.expiresAt(), dedupeKey), new byte[0]);
    }
  }

  /**
   * What undoes {@link #put}: all its rows are removed, and a replaced dedupe key gets its former
   * value, with the row by which that expires, since a sweep may have taken it meanwhile.
   */
  static List<Change> undo(Footprint footprint) {
    List<Change> changes = new ArrayList<>(4 + 2 * footprint.sinkIds().length);
    changes.add(new Change(Family.HOOKS, Keys.hook(footprint.seq()), null));
    changes.add(new Change(Family.INDEX, Keys.byId(footprint.id()), null));
    for (int sinkId : footprint.sinkIds()) {
      changes.add(new Change(Family.DELIVERIES, Keys.delivery(footprint.seq(), sinkId), null));
      changes.add(
          new Change(Family.INDEX, Keys.due(sinkId, footprint.at(), footprint.seq()), null));
    }
    byte[] dedupeKey = footprint.dedupeKey();
    if (dedupeKey != null) {
      changes.add(new Change(Family.INDEX, dedupeKey, footprint.replaced()));
      changes.add(
          new Change(Family.INDEX, Keys.dedupeExpiry(footprint.expiresAt(), dedupeKey), null));
      DedupeValue former = DedupeValue.decodeOrNull(footprint.replaced());
      if (former != null) {
        changes.add(
            new Change(
                Family.INDEX, Keys.dedupeExpiry(former.expiresAt(), dedupeKey), new byte[0]));
      }
    }
    return changes;
  }

  /** Applies one change to a batch. */
  static void apply(Batch batch, Change change) {
    byte[] value = change.value();
    if (value == null) {
      batch.delete(change.family(), change.key());
    } else {
      batch.put(change.family(), change.key(), value);
    }
  }

  /** Encodes the hook's own row. */
  static byte[] encode(Hook hook) {
    return HookCodec.encode(hook);
  }
}
