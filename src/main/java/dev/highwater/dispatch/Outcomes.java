package dev.highwater.dispatch;

import dev.highwater.codec.DeliveryCodec;
import dev.highwater.codec.Keys;
import dev.highwater.hook.Delivery;
import dev.highwater.queue.RepeatableWrites;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what became of deliveries, in the order in which they ended, many in one batch. While the
 * store cannot be written they are kept; each stays in flight until its outcome is written. Bounded
 * by the rows in flight. Owned by the dispatch thread.
 *
 * <p>Each outcome is repeatable: it deletes one due row and says where the delivery stands now.
 * When it is lost in a crash the due row is there again, and so the delivery is made again (G14).
 */
final class Outcomes {
  private static final Logger log = LoggerFactory.getLogger(Outcomes.class);
  private static final int BATCH_ROWS = 512;

  /** A delivery and what became of it. */
  record Settled(Row row, Verdict verdict) {}

  private final RepeatableWrites writes;
  private final ArrayDeque<Settled> waiting = new ArrayDeque<>();
  private final Batch batch = new Batch(64 * 1024);
  private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  Outcomes(RepeatableWrites writes) {
    this.writes = writes;
  }

  void add(Row row, Verdict verdict) {
    waiting.add(new Settled(row, verdict));
  }

  int waiting() {
    return waiting.size();
  }

  /** Pauses the writing while it fails. */
  Backoff backoff() {
    return backoff;
  }

  /**
   * Writes one batch, unless there is nothing to write or the last try is too recent.
   *
   * @return what is written now, in order; empty if nothing was
   */
  List<Settled> write(long now) {
    if (waiting.isEmpty() || backoff.isOn(now)) {
      return List.of();
    }
    List<Settled> first = new ArrayList<>(Math.min(BATCH_ROWS, waiting.size()));
    batch.clear();
    for (Settled settled : waiting) {
      put(settled.row(), settled.verdict());
      first.add(settled);
      if (first.size() == BATCH_ROWS) {
        break;
      }
    }
    try {
      if (!batch.isEmpty()) {
        writes.write(batch);
      }
    } catch (StoreException e) {
      if (backoff.failed(System.nanoTime())) {
        log.warn("Outcomes of deliveries cannot be written now and are kept: {}", e.getMessage());
      }
      return List.of();
    }
    backoff.over();
    for (int i = 0; i < first.size(); i++) {
      waiting.remove();
    }
    return first;
  }

  private void put(Row row, Verdict verdict) {
    int sink = row.lane().id();
    switch (verdict) {
      case Verdict.Delivered s -> {
        deleteDue(row);
        putDelivery(row, Delivery.State.DELIVERED, row.at(), s.endedAt(), "");
      }
      case Verdict.Retry s -> {
        deleteDue(row);
        batch.put(Family.INDEX, Keys.due(sink, s.at(), row.seq()), Keys.number(row.length()));
        putDelivery(row, Delivery.State.PENDING, s.at(), s.endedAt(), s.error());
      }
      case Verdict.Dead s -> {
        deleteDue(row);
        batch.put(Family.INDEX, Keys.dead(sink, s.at(), row.seq()), Keys.number(row.length()));
        putDelivery(row, Delivery.State.DEAD, row.at(), s.endedAt(), s.reason());
      }
      case Verdict.Postponed s -> {
        deleteDue(row);
        batch.put(Family.INDEX, Keys.due(sink, s.at(), row.seq()), Keys.number(row.length()));
      }
      case Verdict.Lost s -> {
        deleteDue(row);
        batch.delete(Family.DELIVERIES, Keys.delivery(row.seq(), sink));
      }
      case Verdict.Gone s -> {}
    }
  }

  private void deleteDue(Row row) {
    batch.delete(Family.INDEX, row.dueKey());
    if (row.isAstray()) {
      batch.delete(Family.INDEX, row.foundDueKey());
    }
  }

  private void putDelivery(
      Row row, Delivery.State state, long due, long endedAt, String lastError) {
    int sink = row.lane().id();
    var delivery = new Delivery(row.seq(), sink, state, row.attempts(), due, endedAt, lastError);
    batch.put(Family.DELIVERIES, Keys.delivery(row.seq(), sink), DeliveryCodec.encode(delivery));
  }
}
