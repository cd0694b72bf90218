package dev.highwater.pen;

import dev.highwater.hook.Answer;
import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;

/** What became of an entry that was to be let out. Everything but the last is durable when said. */
public sealed interface ReleaseOutcome {
  /** It is a hook like any other now, under the id it had, and no longer in the pen. */
  record Released(HookId id) implements ReleaseOutcome {}

  /**
   * It repeats a hook that is stored already. It is no longer in the pen, and was not stored again.
   *
   * @param original that hook
   */
  record Duplicate(HookId original) implements ReleaseOutcome {}

  /**
   * It fails verification with the secrets of today as well, and stays.
   *
   * @param reason from the closed list of the answers
   */
  record StillFails(String reason) implements ReleaseOutcome {}

  /** Its source is not configured any more, so nobody can verify it; it stays. */
  record SourceGone(SourceRef source) implements ReleaseOutcome {}

  /** There is no such entry. */
  record NotThere() implements ReleaseOutcome {}

  /** The queue could not take it or not make it durable; it stays. */
  record Refused(Answer.Refused refusal) implements ReleaseOutcome {}
}
