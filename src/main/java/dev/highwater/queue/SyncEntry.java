package dev.highwater.queue;

import dev.highwater.hook.Answer;
import java.util.List;

/**
 * What waits for an fsync.
 *
 * @param upto the highest seq the answer depends on
 * @param at the stamp of the group
 * @param epoch the fence epoch in which the group was begun
 * @param due the new due rows of this group, each sink once
 * @param writtenAt when it had been written, monotonic nanoseconds
 * @param done what is to happen when it is durable, or never will be
 */
record SyncEntry(long upto, long at, long epoch, List<DueRows> due, long writtenAt, Done done) {

  sealed interface Done {}

  /**
   * Callers to be answered.
   *
   * @param calls who waits
   * @param answers what each is told, in the same order
   */
  record Reply(List<Ticket> calls, List<Answer> answers) implements Done {
    public Reply {
      if (calls.size() != answers.size()) {
        throw new IllegalArgumentException(
            calls.size() + " calls and " + answers.size() + " answers");
      }
    }

    /** Gives each caller its answer. */
    void succeed() {
      for (int i = 0; i < calls.size(); i++) {
        calls.get(i).answer(answers.get(i));
      }
    }

    /** How many of the answers say that the call was a duplicate. */
    int duplicates() {
      int duplicates = 0;
      for (Answer answer : answers) {
        if (answer instanceof Answer.Duplicate) {
          duplicates++;
        }
      }
      return duplicates;
    }
  }

  /**
   * Somebody who has to know that this half of a two-fold promise is kept; the other half is a
   * replica's.
   *
   * @param target who
   * @param ref what for
   */
  record Notify(Target target, Object ref) implements Done {
    /** Is called on the syncer's thread and must return at once. */
    interface Target {
      void durable(Object ref);

      void failed(Object ref, Answer.Refused why);
    }
  }
}
