package dev.highwater.hook;

/**
 * How far one hook is on its way to one sink. A delivery that is being attempted right now is still
 * {@link State#PENDING} in the store: what is in flight lives in memory only, so that after a crash
 * it is due again (G14).
 *
 * @param seq of the hook
 * @param sinkId the sink
 * @param state where it stands
 * @param attempts how many attempts have ended; stops at {@link Integer#MAX_VALUE}
 * @param due the stamp from which it may be attempted; meaningful while pending
 * @param lastAttemptAt wall clock of the end of the last attempt in Unix milliseconds, 0 before the
 *     first
 * @param lastError why the last attempt failed, empty if none did; never a body or a secret (G12)
 */
public record Delivery(
    long seq,
    int sinkId,
    State state,
    int attempts,
    long due,
    long lastAttemptAt,
    String lastError) {

  /**
   * Legal transitions: pending to pending (a retry), to delivered, to dead; dead to pending (a
   * replay).
   */
  public enum State {
    PENDING((byte) 1),
    DELIVERED((byte) 2),
    DEAD((byte) 3);

    private final byte code;

    State(byte code) {
      this.code = code;
    }

    /** As it is stored; never changes. */
    public byte code() {
      return code;
    }

    /**
     * The state with that code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static State ofCode(byte code) {
      for (State state : values()) {
        if (state.code == code) {
          return state;
        }
      }
      throw new IllegalArgumentException("no delivery state has the code " + code);
    }
  }

  /** A delivery that has not been attempted. */
  public static Delivery pending(long seq, int sinkId, long due) {
    return new Delivery(seq, sinkId, State.PENDING, 0, due, 0, "");
  }
}
