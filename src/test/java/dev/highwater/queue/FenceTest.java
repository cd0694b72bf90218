package dev.highwater.queue;

import static dev.highwater.queue.WritePathRig.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.highwater.codec.Keys;
import dev.highwater.hook.Answer.Refused;
import dev.highwater.hook.Answer.Stored;
import dev.highwater.hook.ErrorCode;
import dev.highwater.queue.Command.Change;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import dev.highwater.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds when a write or an fsync fails, and after it. */
class FenceTest {
  private static final Refused UNAVAILABLE = new Refused(ErrorCode.STORE_UNAVAILABLE);

  @TempDir Path directory;

  @Test
  void aFailedSyncRefusesWhatItCoversAndItsRetryIsStoredOnce() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      get(rig.submit("kept", "kept"));
      rig.disk.failNextSync("Input/output error");
      assertThat(get(rig.submit("a", "key"))).isEqualTo(UNAVAILABLE);
      rig.awaitOpen();
      assertThat(rig.bodies()).containsExactly("kept");
      assertThat(get(rig.submit("a", "key"))).isInstanceOf(Stored.class);
      assertThat(rig.bodies()).containsExactly("kept", "a");
      assertThat(rig.wakes.stream().filter("resumed"::equals)).hasSize(1);
      assertThat(rig.fence.count()).isEqualTo(1);
    }
  }

  @Test
  void nothingOfARefusedHookIsLeft() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.failNextSync("Input/output error");
      assertThat(get(rig.submit("a", "key"))).isEqualTo(UNAVAILABLE);
      rig.awaitOpen();
      assertThat(rig.rows(Family.HOOKS)).isZero();
      assertThat(rig.rows(Family.DELIVERIES)).isZero();
      assertThat(rig.rows(Family.INDEX)).isZero();
    }
  }

  @Test
  void aFailedWriteThatReachedTheLogIsRefusedAndRemoved() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.failNextWrite(true);
      assertThat(get(rig.submit("a", "key"))).isEqualTo(UNAVAILABLE);
      rig.awaitOpen();
      assertThat(rig.bodies()).isEmpty();
      assertThat(get(rig.submit("a", "key"))).isInstanceOf(Stored.class);
      assertThat(rig.bodies()).containsExactly("a");
    }
  }

  @Test
  void aSyncThatWouldSucceedAfterAFailureIsNotBelieved() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.healBehindTheBack();
      rig.disk.failNextSync("No space left on device");
      long opens = rig.disk.opens();
      assertThat(get(rig.submit("a", "key"))).isEqualTo(UNAVAILABLE);
      rig.awaitOpen();
      assertThat(rig.disk.opens()).isGreaterThan(opens);
      assertThat(rig.bodies()).isEmpty();
    }
  }

  @Test
  void everyEntryBehindAFailedSyncFailsToo() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var covered = rig.submit("covered", "one");
      rig.disk.awaitSyncStarted();
      var behind = rig.submit("behind", "two");
      rig.awaitApplied(2);
      var duplicate = rig.submit("covered again", "one");
      await().until(() -> rig.budget.records() == 3);
      rig.disk.failNextSync("Input/output error");
      rig.disk.releaseSyncs();
      assertThat(List.of(get(covered), get(behind), get(duplicate))).containsOnly(UNAVAILABLE);
      rig.awaitOpen();
      assertThat(rig.bodies()).isEmpty();
    }
  }

  @Test
  void theMarkDoesNotMoveWhileFencedAndJumpsOverWhatWasRemoved() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      get(rig.submit("kept"));
      rig.disk.failOpensUntilHealed();
      rig.disk.failNextSync("Input/output error");
      get(rig.submit("refused"));
      rig.awaitFenced();
      assertThat(rig.marks.read().durableSeq()).isEqualTo(1);
      assertThat(rig.inspector.status().fence()).isNotNull();
      rig.disk.heal();
      rig.awaitOpen();
      assertThat(rig.marks.read().durableSeq()).isEqualTo(2);
      assertThat(rig.marks.read().unsynced()).isFalse();
      get(rig.submit("next"));
      assertThat(rig.hooks().getLast().seq()).isEqualTo(3);
    }
  }

  @Test
  void whileFencedEverythingIsRefusedAtOnceAndDispatchCannotWrite() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.failOpensUntilHealed();
      rig.disk.failNextSync("Input/output error");
      get(rig.submit("a"));
      assertThat(rig.writer.refusal()).isEqualTo(UNAVAILABLE);
      assertThat(get(rig.submit("b"))).isEqualTo(UNAVAILABLE);
      var batch = new Batch();
      batch.put(Family.DEFAULT, new byte[] {1}, new byte[] {1});
      assertThatThrownBy(() -> rig.repeatable.write(batch))
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(rig.budget.records()).isZero();
    }
  }

  @Test
  void aDiskThatStaysBrokenIsTriedAgainUntilItHeals() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.failWritesUntilHealed();
      assertThat(get(rig.submit("a", "key"))).isEqualTo(UNAVAILABLE);
      long before = rig.disk.openAttempts();
      await().until(() -> rig.disk.openAttempts() > before + 3);
      assertThat(get(rig.submit("b"))).isEqualTo(UNAVAILABLE);
      rig.disk.heal();
      rig.awaitOpen();
      assertThat(get(rig.submit("a", "key"))).isInstanceOf(Stored.class);
      assertThat(rig.bodies()).containsExactly("a");
    }
  }

  @Test
  void aWriteOfAnybodyThatFailsFencesTheQueue() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.failNextWrite(false);
      var batch = new Batch();
      batch.put(Family.DEFAULT, new byte[] {1}, new byte[] {1});
      assertThatThrownBy(() -> rig.repeatable.write(batch)).isInstanceOf(StoreException.class);
      rig.awaitOpen();
      assertThat(rig.fence.count()).isEqualTo(1);
    }
  }

  @Test
  void aReplacedDedupeKeyGetsItsFormerValueBack() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      get(rig.submit("first", "key"));
      byte[] key = Keys.dedupe(WritePathRig.SOURCE, "key".getBytes(StandardCharsets.UTF_8));
      byte[] former = read(rig, Family.INDEX, key);
      rig.clock.stepWall(Duration.ofDays(4));
      rig.disk.failNextSync("Input/output error");
      assertThat(get(rig.submit("second", "key"))).isEqualTo(UNAVAILABLE);
      rig.awaitOpen();
      assertThat(read(rig, Family.INDEX, key)).isEqualTo(former);
    }
  }

  @Test
  void aHookRefusedBeforeACrashInsideTheFenceIsGoneAfterIt() throws Exception {
    var rig = WritePathRig.fresh(directory);
    get(rig.submit("kept", "kept"));
    rig.disk.failOpensUntilHealed();
    rig.disk.failNextSync("Input/output error");
    assertThat(get(rig.submit("refused", "key"))).isEqualTo(UNAVAILABLE);
    rig.kill(1_000);
    try (var next = rig.restart()) {
      assertThat(next.bodies()).containsExactly("kept");
      assertThat(next.rows(Family.DELIVERIES)).isEqualTo(1);
      assertThat(get(next.submit("refused", "key"))).isInstanceOf(Stored.class);
      assertThat(next.hooks().getLast().seq()).isEqualTo(3);
    }
    // The marker is gone with the rows: a second start takes nothing more away.
    try (var third = rig.restart()) {
      assertThat(third.bodies()).containsExactly("kept", "refused");
    }
  }

  @Test
  void aHookThatNobodyWasToldAboutMayStayAfterAPowerCut() throws Exception {
    var rig = WritePathRig.fresh(directory);
    rig.disk.holdSyncs();
    var one = rig.submit("one", "key");
    rig.disk.awaitSyncStarted();
    var two = rig.submit("two");
    rig.awaitApplied(2);
    assertThat(List.of(one, two)).noneMatch(CompletableFuture::isDone);
    rig.kill(1);
    try (var next = rig.restart()) {
      assertThat(next.bodies()).containsExactly("one");
      get(next.submit("three"));
      assertThat(next.hooks()).extracting(hook -> hook.seq()).containsExactly(1L, 2L);
    }
  }

  @Test
  void seqsGoOnWhenEveryHookIsGone() throws Exception {
    var rig = WritePathRig.fresh(directory);
    get(rig.submit("a"));
    get(rig.submit("b"));
    var batch = new Batch();
    batch.deleteRange(Family.HOOKS, Keys.hook(0), Keys.hook(100));
    rig.repeatable.write(batch);
    rig.close();
    try (var next = rig.restart()) {
      get(next.submit("c"));
      assertThat(next.hooks().getFirst().seq()).isEqualTo(3);
    }
  }

  @Test
  void aMarkerThatCannotBeReadAtTheStartStopsIt() throws Exception {
    var rig = WritePathRig.fresh(directory);
    get(rig.submit("a"));
    rig.close();
    rig.disk.heal();
    java.nio.file.Files.write(directory.resolve("FENCED"), new byte[4096]);
    assertThatThrownBy(rig::restart)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("FENCED");
  }

  @Test
  void stampsNeverGoBackOverARestart() throws Exception {
    var rig = WritePathRig.fresh(directory);
    get(rig.submit("a"));
    long before = rig.hooks().getFirst().at();
    rig.close();
    rig.clock.stepWall(Duration.ofHours(-1));
    try (var next = rig.restart()) {
      get(next.submit("b"));
      assertThat(next.hooks().getLast().at()).isGreaterThanOrEqualTo(before);
      assertThat(next.marks.read().visible(next.stamps.now())).isGreaterThanOrEqualTo(before);
    }
  }

  @Test
  void aCommandIsAnsweredWhenItIsDurable() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var answer = rig.writer.submit(put("z:name", "new"));
      rig.disk.awaitSyncStarted();
      assertThat(answer).isNotDone();
      rig.disk.releaseSyncs();
      assertThat(answer).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(CommandAnswer.DONE);
      assertThat(value(rig, "z:name")).isEqualTo("new");
    }
  }

  @Test
  void aRefusedCommandIsUndone() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      done(rig.writer.submit(put("z:name", "old")));
      rig.disk.failNextSync("Input/output error");
      assertThat(rig.writer.submit(put("z:name", "new")))
          .succeedsWithin(Duration.ofSeconds(5))
          .isEqualTo(new CommandAnswer.Refused(UNAVAILABLE));
      rig.awaitOpen();
      assertThat(value(rig, "z:name")).isEqualTo("old");
    }
  }

  @Test
  void aCommandRefusedBeforeACrashInsideTheFenceIsUndoneAfterIt() throws Exception {
    var rig = WritePathRig.fresh(directory);
    done(rig.writer.submit(put("z:name", "old")));
    rig.disk.failOpensUntilHealed();
    rig.disk.failNextSync("Input/output error");
    assertThat(rig.writer.submit(put("z:name", "new"))).succeedsWithin(Duration.ofSeconds(10));
    rig.kill(1_000);
    try (var next = rig.restart()) {
      assertThat(value(next, "z:name")).isEqualTo("old");
    }
  }

  @Test
  void aCommandThatRejectsItselfChangesNothing() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      var command =
          new Command() {
            @Override
            public long bytes() {
              return 1;
            }

            @Override
            public List<Change> decide(StoreLease view, long at)
                throws Command.RejectedCommandException {
              throw new RejectedCommandException("it is gone already");
            }
          };
      assertThat(rig.writer.submit(command))
          .succeedsWithin(Duration.ofSeconds(5))
          .isEqualTo(new CommandAnswer.Rejected("it is gone already"));
      assertThat(rig.disk.writes()).isZero();
    }
  }

  @Test
  void undoRowsOfDurableCommandsGo() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      done(rig.writer.submit(put("z:name", "one")));
      done(rig.writer.submit(put("z:name", "two")));
      get(rig.submit("a"));
      assertThat(read(rig, Family.DEFAULT, Keys.undo(1))).isNull();
      assertThat(read(rig, Family.DEFAULT, Keys.undo(2))).isNull();
    }
  }

  private static Command put(String key, String value) {
    return new Command() {
      @Override
      public long bytes() {
        return (long) key.length() + value.length();
      }

      @Override
      public List<Change> decide(StoreLease view, long at) {
        return List.of(
            new Change(
                Family.DEFAULT,
                key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8)));
      }
    };
  }

  private static void done(CompletableFuture<CommandAnswer> answer) {
    assertThat(answer).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(CommandAnswer.DONE);
  }

  private static byte @Nullable [] read(WritePathRig rig, Family family, byte[] key)
      throws StoreException {
    try (StoreLease lease = rig.store.lease()) {
      return lease.get(family, key);
    }
  }

  private static String value(WritePathRig rig, String key) throws StoreException {
    byte[] value = read(rig, Family.DEFAULT, key.getBytes(StandardCharsets.UTF_8));
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }
}
