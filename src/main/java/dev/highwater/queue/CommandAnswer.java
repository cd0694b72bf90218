package dev.highwater.queue;

import dev.highwater.hook.Answer;

/** What became of a {@link Command}. */
public sealed interface CommandAnswer {
  CommandAnswer DONE = new Done();

  /** It is applied and durable. */
  record Done() implements CommandAnswer {}

  /**
   * It is applied and durable, and so is the hook that it brought, or the original of which that is
   * a duplicate.
   */
  record Brought(Answer.Accepted answer) implements CommandAnswer {}

  /** The command itself found that it must not be carried out; nothing was changed. */
  record Rejected(String why) implements CommandAnswer {}

  /** The queue could not take it or not make it durable; nothing is changed. */
  record Refused(Answer.Refused refusal) implements CommandAnswer {}
}
