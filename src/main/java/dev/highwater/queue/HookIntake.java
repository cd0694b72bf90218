package dev.highwater.queue;

import dev.highwater.hook.Answer;
import dev.highwater.hook.Hook;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Where what was received is handed to the writer. Any thread may call. */
public interface HookIntake {

  /**
   * A refusal that holds right now, whatever the hook: the queue is fenced, stalled or stopping, or
   * the disk is nearly full. So a request can be answered before its body is read.
   *
   * @return null when hooks are taken
   */
  Answer.@Nullable Refused refusal();

  /**
   * Queues a hook for the next group.
   *
   * @param content what was received
   * @param sinkIds the sinks it goes to, each once
   * @param permit the room it takes; from now on it is the queue's to close
   * @return completes when the answer may be given: after the fsync that covers everything it
   *     depends on (G1), or with a refusal. Never completes exceptionally, and is not to be
   *     cancelled.
   */
  CompletableFuture<Answer> submit(Hook.Content content, int[] sinkIds, IntakeRoom.Permit permit);

  /**
   * Queues a request that failed verification for the pen. It is written with the hooks of the next
   * group and costs no fsync of its own. Refused at once where the pen is full, and with {@code
   * overload} where too many are on their way there.
   *
   * @param content what was received, without a dedupe key (G11)
   * @param reason why it failed, from a closed list
   * @param permit the room it takes; from now on it is the queue's to close
   * @return as {@link #submit}
   */
  CompletableFuture<Answer> quarantine(
      Hook.Content content, String reason, IntakeRoom.Permit permit);
}
