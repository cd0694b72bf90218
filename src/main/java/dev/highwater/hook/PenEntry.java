package dev.highwater.hook;

/**
 * A request that failed verification, as it is kept in the pen. It is no hook yet: it goes to no
 * sink and has no dedupe key (G11).
 *
 * @param held what was received and the seq and stamp it got, without sinks
 * @param reason why it failed, from the closed list of the answers
 * @param bytes what it counts for in the pen
 */
public record PenEntry(Hook held, String reason, long bytes) {

  public HookId id() {
    return held.content().id();
  }

  /** Who it claims to be from. */
  public SourceRef source() {
    return held.content().source();
  }

  public long seq() {
    return held.seq();
  }

  /** Ids and sizes only (G12). */
  @Override
  public String toString() {
    return held + ", quarantined: " + reason;
  }
}
