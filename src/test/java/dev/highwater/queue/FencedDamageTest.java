package dev.highwater.queue;

import static dev.highwater.queue.WritePathRig.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.codec.Keys;
import dev.highwater.hook.Answer.Refused;
import dev.highwater.hook.Answer.Stored;
import dev.highwater.queue.Command.Change;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine;
import dev.highwater.store.StoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A start finds a fence, and in it rows that do not decode. Hook 1 was acked; 2 and 3 were not. */
@ExtendWith(OutputCaptureExtension.class)
class FencedDamageTest {
  private static final byte[] GARBAGE = {1, 2, 3};

  @TempDir Path directory;

  @Test
  void aDamagedHookStopsTheStartAndTheWayOutIsNamed() throws Exception {
    var rig = killedInsideAFence();
    damage(rig, batch -> batch.put(Family.HOOKS, Keys.hook(2), GARBAGE));

    assertThatThrownBy(rig::restart)
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll(
            "1 hooks (seq 2)",
            "highwater.store.accept-loss: true",
            "\"When the start refuses the store\" in docs/configuration.md");
  }

  @Test
  void onceTheLossIsAcceptedNothingIsLeftOfADamagedHook(CapturedOutput output) throws Exception {
    var rig = killedInsideAFence();
    damage(rig, batch -> batch.put(Family.HOOKS, Keys.hook(2), GARBAGE));

    try (var next = rig.restartAcceptingLoss()) {
      onlyTheAckedHookIsThere(next);
      assertThat(output)
          .contains("highwater.store.accept-loss", "1 hooks that do not decode", "their seqs: 2.");
      assertThat(get(next.submit("refused", "key"))).isInstanceOf(Stored.class);
      assertThat(next.hooks().getLast().seq()).isEqualTo(4);
    }
    try (var third = rig.restart()) {
      assertThat(third.bodies()).containsExactly("kept", "refused");
    }
  }

  @Test
  void aDamagedHookThatACommandHadRemovedIsNotBroughtBack() throws Exception {
    var rig = killedInsideAFence();
    damage(
        rig,
        batch -> {
          batch.delete(Family.HOOKS, Keys.hook(2));
          UndoRow.put(
              batch,
              3,
              List.of(
                  new Change(Family.HOOKS, Keys.hook(2), GARBAGE),
                  new Change(Family.DELIVERIES, Keys.delivery(2, 99), GARBAGE),
                  new Change(Family.INDEX, Keys.due(99, 1, 2), Keys.number(1))));
        });

    assertThatThrownBy(rig::restart).hasMessageContaining("1 hooks (seq 2)");
    try (var next = rig.restartAcceptingLoss()) {
      onlyTheAckedHookIsThere(next);
    }
  }

  @Test
  void aChangeThatCannotBeUndoneStaysOnceTheLossIsAccepted(CapturedOutput output) throws Exception {
    var rig = killedInsideAFence();
    damage(rig, batch -> batch.put(Family.DEFAULT, Keys.undo(3), GARBAGE));

    assertThatThrownBy(rig::restart)
        .hasMessageContainingAll("the changes of 1 groups (seq 3)", "accept-loss");
    try (var next = rig.restartAcceptingLoss()) {
      onlyTheAckedHookIsThere(next);
      assertThat(output).contains("the changes of 1 groups", "cannot be undone: seq 3.");
    }
    try (var third = rig.restart()) {
      onlyTheAckedHookIsThere(third);
    }
  }

  private WritePathRig killedInsideAFence() throws StoreException {
    var rig = WritePathRig.fresh(directory);
    get(rig.submit("kept", "kept"));
    rig.disk.failOpensUntilHealed();
    rig.disk.holdSyncs();
    var refused = rig.submit("refused", "key");
    rig.disk.awaitSyncStarted();
    var behind = rig.submit("behind", "another");
    rig.awaitApplied(3);
    rig.disk.failNextSync("Input/output error");
    rig.disk.releaseSyncs();
    assertThat(List.of(get(refused), get(behind))).hasOnlyElementsOfType(Refused.class);
    rig.kill(1_000);
    return rig;
  }

  /** Writes behind the back of the process that was killed. */
  private static void damage(WritePathRig rig, Consumer<Batch> rows) throws StoreException {
    var batch = new Batch();
    rows.accept(batch);
    StorageEngine engine = rig.platter.open();
    engine.write(batch, true);
    engine.close();
  }

  private static void onlyTheAckedHookIsThere(WritePathRig rig) throws StoreException {
    assertThat(rig.bodies()).containsExactly("kept");
    assertThat(rig.rows(Family.DELIVERIES)).isEqualTo(1);
    assertThat(rig.rows(Family.INDEX)).as("id, due, dedupe key and its expiry").isEqualTo(4);
  }
}
