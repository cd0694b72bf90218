package dev.highwater.queue;

/**
 * The due rows one group has for one sink.
 *
 * @param rows how many; at least 1
 * @param bytes the lengths of their bodies together
 */
public record DueRows(int sinkId, int rows, long bytes) {
  /** Both together; they are of one sink. */
  DueRows plus(DueRows more) {
    return new DueRows(sinkId, rows + more.rows, bytes + more.bytes);
  }
}
