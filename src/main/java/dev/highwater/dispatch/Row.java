package dev.highwater.dispatch;

import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;

/**
 * One due row that was read and is not settled: ready, running, or ended with its outcome not yet
 * written. A scan skips it meanwhile, so that no delivery runs twice at once. Owned by the dispatch
 * thread.
 */
final class Row {
  private final Lane lane;
  private final long at;
  private final long seq;
  private final long length;
  private long foundAt;
  private int attempts;

  /**
   * @param at the stamp in its due key
   * @param length the length of the body
   */
  Row(Lane lane, long at, long seq, long length) {
    this.lane = lane;
    this.at = at;
    this.seq = seq;
    this.length = length;
    this.foundAt = at;
  }

  /**
   * Its due row was found under that stamp. Another one than its own is there when a fence has lost
   * the retry by which the row got its own: the outcome must take that away as well.
   */
  void foundAt(long stamp) {
    foundAt = stamp;
  }

  /** The key under which its due row was found last; mostly {@link #dueKey}. */
  byte[] foundDueKey() {
    return Keys.due(lane.id(), foundAt, seq);
  }

  boolean isAstray() {
    return foundAt != at;
  }

  Lane lane() {
    return lane;
  }

  long at() {
    return at;
  }

  long seq() {
    return seq;
  }

  long length() {
    return length;
  }

  /** How many attempts have ended, the one that ended last included. */
  int attempts() {
    return attempts;
  }

  void attempts(int ended) {
    attempts = ended;
  }

  /** Counts one more attempt; stops at the largest number. */
  void countAttempt() {
    attempts = attempts == Integer.MAX_VALUE ? attempts : attempts + 1;
  }

  /**
   * The length of the body, from the value of a due row.
   *
   * @throws dev.highwater.codec.UnreadableValueException if there is none that a body can have
   */
  static long lengthIn(byte[] value) {
    long length = Keys.numberOf(value);
    if (length < 0 || length > Integer.MAX_VALUE) {
      throw new UnreadableValueException("no body is " + length + " bytes long");
    }
    return length;
  }

  byte[] dueKey() {
    return Keys.due(lane.id(), at, seq);
  }

  @Override
  public String toString() {
    return "delivery of " + seq + " to " + lane;
  }
}
