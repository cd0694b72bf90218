package dev.highwater.queue;

import dev.highwater.hook.Answer;
import dev.highwater.hook.Hook;
import java.util.concurrent.CompletableFuture;

/**
 * A place in the writer's queue. Answered exactly once, by the writer or by the syncer, whoever
 * holds it then; answering frees its room first.
 */
sealed interface Ticket {
  /** The monotonic time after which its commit may not start any more, in nanoseconds. */
  long deadline();

  /** What it counts for in a group, in bytes. */
  long bytes();

  /** When it was queued, monotonic nanoseconds. */
  long queuedAt();

  void answer(Answer answer);

  /** A hook on its way in. */
  record HookTicket(
      Hook.Content content,
      int[] sinkIds,
      IntakeRoom.Permit permit,
      long deadline,
      long queuedAt,
      CompletableFuture<Answer> future)
      implements Ticket {
    @Override
    public long bytes() {
      return content.body().length;
    }

    @Override
    public void answer(Answer answer) {
      permit.close();
      future.complete(answer);
    }
  }

  /** A request that failed verification, on its way into the pen. It has entered its room. */
  record PenTicket(
      Hook.Content content,
      String reason,
      long penBytes,
      PenRoom room,
      IntakeRoom.Permit permit,
      long deadline,
      long queuedAt,
      CompletableFuture<Answer> future)
      implements Ticket {
    @Override
    public long bytes() {
      return content.body().length;
    }

    @Override
    public void answer(Answer answer) {
      permit.close();
      room.settled(content.source(), penBytes, answer instanceof Answer.Accepted);
      future.complete(answer);
    }
  }

  /** A change of what is configured or known, that must be durable before it is answered. */
  record CommandTicket(
      Command command,
      IntakeRoom.Permit permit,
      long deadline,
      long queuedAt,
      CompletableFuture<CommandAnswer> future)
      implements Ticket {
    @Override
    public long bytes() {
      return command.bytes();
    }

    @Override
    public void answer(Answer answer) {
      permit.close();
      future.complete(
          switch (answer) {
            case Answer.Refused refused -> new CommandAnswer.Refused(refused);
            case Answer.Accepted accepted when command.incoming() != null ->
                new CommandAnswer.Brought(accepted);
            case Answer.Accepted done -> CommandAnswer.DONE;
          });
    }

    /** The same, to be told that it was not carried out. */
    Ticket rejecting(String why) {
      return new RejectedTicket(this, why);
    }
  }

  /**
   * A command that was decided against. It waits like one that was carried out: what it was decided
   * on may not be durable yet, and may be gone again after a failure (G2).
   */
  record RejectedTicket(CommandTicket command, String why) implements Ticket {
    @Override
    public long deadline() {
      return command.deadline();
    }

    @Override
    public long bytes() {
      return command.bytes();
    }

    @Override
    public long queuedAt() {
      return command.queuedAt();
    }

    @Override
    public void answer(Answer answer) {
      command.permit().close();
      command
          .future()
          .complete(
              answer instanceof Answer.Refused refused
                  ? new CommandAnswer.Refused(refused)
                  : new CommandAnswer.Rejected(why));
    }
  }
}
