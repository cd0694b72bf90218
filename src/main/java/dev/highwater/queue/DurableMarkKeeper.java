package dev.highwater.queue;

import dev.highwater.store.DurableMarkFile;
import dev.highwater.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the file {@code durable.mark} close to the mark, off the hot path: at most once a second,
 * on the store's thread, and once at a clean stop. A start compares it with what it finds, and so
 * notices when acked hooks are missing.
 */
final class DurableMarkKeeper {
  private static final Logger log = LoggerFactory.getLogger(DurableMarkKeeper.class);

  private final DurableMarks marks;
  private final DurableMarkFile file;

  /** Guarded by this. */
  private long written = -1;

  /** Guarded by this. */
  private boolean failing;

  DurableMarkKeeper(DurableMarks marks, DurableMarkFile file) {
    this.marks = marks;
    this.file = file;
  }

  /**
   * Writes the mark if it has moved. A failure is logged once: the mark is evidence, no promise
   * depends on it.
   */
  synchronized void refresh() {
    long durable = marks.read().durableSeq();
    if (durable == written) {
      return;
    }
    try {
      file.write(durable);
      written = durable;
      failing = false;
    } catch (StoreException e) {
      if (!failing) {
        failing = true;
        log.warn("durable.mark cannot be written: {}", e.toString());
      }
    }
  }
}
