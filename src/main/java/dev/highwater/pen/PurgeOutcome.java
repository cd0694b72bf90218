package dev.highwater.pen;

import dev.highwater.hook.Answer;
import java.util.OptionalLong;

/** What became of a purge. */
public sealed interface PurgeOutcome {
  /**
   * It is done and durable.
   *
   * @param rows how many entries are gone
   * @param bytes what they counted for
   * @param next from which seq to go on, where there may be more
   */
  record Purged(long rows, long bytes, OptionalLong next) implements PurgeOutcome {}

  /** The queue could not take it or not make it durable; nothing is gone. */
  record Refused(Answer.Refused refusal) implements PurgeOutcome {}
}
