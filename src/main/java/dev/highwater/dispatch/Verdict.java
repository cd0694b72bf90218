package dev.highwater.dispatch;

/** What became of a delivery that was in flight, which is what is to be written about it. */
sealed interface Verdict {
  /**
   * The sink has it.
   *
   * @param endedAt wall clock of the attempt's end
   */
  record Delivered(long endedAt) implements Verdict {}

  /**
   * It is due again.
   *
   * @param at the stamp from which
   * @param endedAt wall clock of the attempt's end
   */
  record Retry(long at, String error, long endedAt) implements Verdict {}

  /**
   * It is given up and becomes a dead letter.
   *
   * @param at the stamp of its death
   * @param endedAt wall clock of the attempt's end, 0 where none was made
   */
  record Dead(long at, String reason, long endedAt) implements Verdict {}

  /**
   * Its hook could not be read while its neighbours could: no attempt was made, it is due again.
   *
   * @param at the stamp from which
   */
  record Postponed(long at) implements Verdict {}

  /** Its hook is not there: nothing is left that could be delivered. */
  record Lost() implements Verdict {}

  /** Someone else has taken hook and due row away; nothing is to be written. */
  record Gone() implements Verdict {}
}
