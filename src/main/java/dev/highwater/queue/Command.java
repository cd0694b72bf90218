package dev.highwater.queue;

import dev.highwater.hook.Hook;
import dev.highwater.store.Family;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that must be durable before it is answered and that is no hook: a source, a catch URL, a
 * pen entry, a replay job. It is applied in a group like a hook; the former values are stored
 * beside it, so that one that was never acked is undone, also by a start after a crash.
 */
public interface Command {
  /** About how many bytes it writes; counts against the size of a group. */
  long bytes();

  /**
   * Decides what to change, on the writer's thread: nobody else changes these rows meanwhile,
   * except other commands of the same group, which have been decided before and are not visible
   * yet.
   *
   * @param view the store as it is; not to be written to, not to be kept
   * @param at the stamp of the group
   * @return the changes, each key once
   * @throws RejectedCommandException if it must not be carried out
   */
  List<Change> decide(StoreLease view, long at) throws StoreException, RejectedCommandException;

  /**
   * A hook that this command brings, to be stored in the same group under its seq (G4), unless it
   * is a duplicate. Looked at after {@link #decide} has agreed.
   *
   * @return null where it brings none; always the same
   */
  default @Nullable Incoming incoming() {
    return null;
  }

  /**
   * A hook on its way in.
   *
   * @param content what was received
   * @param sinkIds the sinks it goes to, each once
   */
  record Incoming(Hook.Content content, int[] sinkIds) {}

  /**
   * One row's new value.
   *
   * @param value null to remove the row
   */
  record Change(Family family, byte[] key, byte @Nullable [] value) {}

  /** The command must not be carried out; the message says why. */
  final class RejectedCommandException extends Exception {
    private static final long serialVersionUID = 1L;

    public RejectedCommandException(String message) {
      super(message);
    }
  }
}
