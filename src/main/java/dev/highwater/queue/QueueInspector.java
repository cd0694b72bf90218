package dev.highwater.queue;

import dev.highwater.store.Store;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells how the queue is. Any thread; never waits for the write path. */
public final class QueueInspector {
  private final DurableMarks marks;
  private final Fence fence;
  private final WriterService writer;
  private final SyncerService syncer;
  private final IntakeBudget budget;
  private final StampClock clock;
  private final Store store;

  QueueInspector(
      DurableMarks marks,
      Fence fence,
      WriterService writer,
      SyncerService syncer,
      IntakeBudget budget,
      StampClock clock,
      Store store) {
    this.marks = marks;
    this.fence = fence;
    this.writer = writer;
    this.syncer = syncer;
    this.budget = budget;
    this.clock = clock;
    this.store = store;
  }

  /** The counters alone; one volatile read. */
  public Marks marks() {
    return marks.read();
  }

  /** The stamp of now (G7), in milliseconds: what due rows are compared with. */
  public long stamp() {
    return clock.now();
  }

  public QueueStatus status() {
    Marks now = marks.read();
    return new QueueStatus(
        now,
        now.fenced() ? report() : null,
        writer.stalled(),
        store.hasRoom(),
        writer.isStopping(),
        now.unsynced()
            ? Duration.ofMillis(Math.max(0, clock.now() - now.unsyncedSince()))
            : Duration.ZERO,
        Duration.ofNanos(syncer.syncRunningNanos()),
        budget.records(),
        budget.bytes(),
        writer.groups(),
        syncer.syncs(),
        fence.count());
  }

  private QueueStatus.@Nullable FenceReport report() {
    Fence.Latched last = fence.last();
    return last == null ? null : new QueueStatus.FenceReport(last.reason(), last.since());
  }
}
