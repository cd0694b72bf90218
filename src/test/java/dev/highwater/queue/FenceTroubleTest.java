package dev.highwater.queue;

import static dev.highwater.queue.WritePathRig.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.highwater.codec.Keys;
import dev.highwater.hook.Answer.Duplicate;
import dev.highwater.hook.Answer.Refused;
import dev.highwater.hook.Answer.Stored;
import dev.highwater.hook.ErrorCode;
import dev.highwater.queue.Command.Change;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds when more goes wrong while a fence is being settled. */
class FenceTroubleTest {
  private static final Refused UNAVAILABLE = new Refused(ErrorCode.STORE_UNAVAILABLE);

  @TempDir Path directory;

  /** A listener that holds the syncer's thread, so that a resume waits in its queue. */
  private static final class Held implements DurableListener {
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch free = new CountDownLatch(1);

    @Override
    public void durable(List<DueRows> due, long at) {
      reached.countDown();
      try {
        assertThat(free.await(10, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void resumed() {}
  }

  @Test
  void aFailureBetweenTheCleanUpAndTheResumeKeepsTheFenceShut() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      var held = new Held();
      rig.syncer.addListener(held);
      var first = rig.submit("first");
      assertThat(held.reached.await(10, TimeUnit.SECONDS)).isTrue();
      failARepeatableWrite(rig);
      await().until(() -> rig.disk.syncedWrites() == 1 && rig.store.isOpen());
      rig.disk.failOpensUntilHealed();
      await().until(() -> failAWriteOfALease(rig));
      held.free.countDown();
      get(first);

      // The resume of the first clean-up is on its way, and must find that it is out of date.
      long tries = rig.disk.openAttempts();
      await().until(() -> rig.disk.openAttempts() > tries + 3);
      assertThat(rig.marks.read().fenced()).isTrue();
      rig.disk.heal();
      rig.awaitOpen();
      assertThat(get(rig.submit("second"))).isInstanceOf(Stored.class);
      assertThat(rig.disk.syncedWrites()).as("it was cleaned up again").isGreaterThan(1);
    }
  }

  @Test
  void aFailedSyncReopensTheStoreOnce() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      for (int i = 1; i <= 20; i++) {
        rig.disk.failNextSync("Input/output error");
        assertThat(get(rig.submit("a"))).isEqualTo(UNAVAILABLE);
        rig.awaitOpen();
        assertThat(get(rig.submit("b"))).isInstanceOf(Stored.class);
        assertThat(rig.store.generation()).isEqualTo(1 + i);
      }
    }
  }

  @Test
  void aCleanUpThatFailsAgainAndAgainIsTriedLessAndLessOften() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.failWritesUntilHealed();
      long began = System.nanoTime();
      assertThat(get(rig.submit("a"))).isEqualTo(UNAVAILABLE);
      long before = rig.store.generation();
      await().until(() -> rig.store.generation() >= before + 5);
      // Three failed clean-ups at least lie between: 100, 200 and 400 ms.
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(650));
    }
  }

  @Test
  void aMarkerThatNobodyWritesHoldsUpNobody() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.endFenceThread();
      rig.disk.failNextSync("Input/output error");
      assertThat(get(rig.submit("a", "key"))).isEqualTo(UNAVAILABLE);
      rig.awaitOpen();
      assertThat(rig.bodies()).isEmpty();
      assertThat(get(rig.submit("a", "key"))).isInstanceOf(Stored.class);
    }
  }

  @Test
  void aKeyThatGetsItsFormerValueBackAlsoExpires() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      get(rig.submit("first", "key"));
      rig.clock.stepWall(Duration.ofDays(4));
      rig.disk.holdSyncs();
      var second = rig.submit("second", "key");
      rig.disk.awaitSyncStarted();
      // The sweep takes the first one's expiry row, since the key has a newer one.
      rig.clock.passMonotonic(Duration.ofSeconds(11));
      var third = rig.submit("third");
      rig.awaitApplied(3);
      rig.disk.failNextSync("Input/output error");
      rig.disk.releaseSyncs();
      assertThat(List.of(get(second), get(third))).containsOnly(UNAVAILABLE);
      rig.awaitOpen();
      rig.clock.passMonotonic(Duration.ofSeconds(11));
      get(rig.submit("fourth"));
      byte[] key = Keys.dedupe(WritePathRig.SOURCE, "key".getBytes(UTF_8));
      await()
          .until(
              () -> {
                try (StoreLease lease = rig.store.lease()) {
                  return lease.get(Family.INDEX, key) == null;
                }
              });
    }
  }

  @Test
  void aStartUndoesHooksAndCommandsInTheOrderInWhichTheyWereMade() throws Exception {
    var rig = WritePathRig.fresh(directory);
    var original = (Stored) get(rig.submit("first", "key"));
    rig.disk.holdSyncs();
    byte[] key = Keys.dedupe(WritePathRig.SOURCE, "key".getBytes(UTF_8));
    var freed = rig.writer.submit(change(new Change(Family.INDEX, key, null)));
    rig.disk.awaitSyncStarted();
    var second = rig.submit("second", "key");
    rig.awaitApplied(3);
    rig.disk.failOpensUntilHealed();
    rig.disk.failNextSync("Input/output error");
    rig.disk.releaseSyncs();
    assertThat(freed).succeedsWithin(Duration.ofSeconds(5));
    assertThat(get(second)).isEqualTo(UNAVAILABLE);
    rig.kill(1_000);
    try (var next = rig.restart()) {
      assertThat(next.bodies()).containsExactly("first");
      assertThat(get(next.submit("again", "key"))).isEqualTo(new Duplicate(original.id()));
    }
  }

  @Test
  void aHookThatACommandRemovedBeforeTheCrashIsNotBroughtBackByItsUndoing() throws Exception {
    var rig = WritePathRig.fresh(directory);
    rig.disk.holdSyncs();
    var hook = rig.submit("refused", "key");
    rig.disk.awaitSyncStarted();
    var removed = rig.writer.submit(change(new Change(Family.HOOKS, Keys.hook(1), null)));
    rig.awaitApplied(2);
    rig.disk.failOpensUntilHealed();
    rig.disk.failNextSync("Input/output error");
    rig.disk.releaseSyncs();
    assertThat(removed).succeedsWithin(Duration.ofSeconds(5));
    assertThat(get(hook)).isEqualTo(UNAVAILABLE);
    rig.kill(1_000);
    try (var next = rig.restart()) {
      assertThat(next.bodies()).isEmpty();
      assertThat(next.rows(Family.INDEX)).isZero();
    }
  }

  private static Command change(Change change) {
    return new Command() {
      @Override
      public long bytes() {
        return change.key().length;
      }

      @Override
      public List<Change> decide(StoreLease view, long at) {
        return List.of(change);
      }
    };
  }

  private static void failARepeatableWrite(WritePathRig rig) {
    rig.disk.failNextWrite(false);
    assertThatThrownBy(() -> rig.repeatable.write(batch())).isInstanceOf(StoreException.class);
    assertThat(rig.marks.read().fenced()).isTrue();
  }

  /** As by one who was let in before the fence and was slow. */
  private static boolean failAWriteOfALease(WritePathRig rig) {
    rig.disk.failNextWrite(false);
    try (StoreLease lease = rig.store.lease()) {
      lease.write(batch());
      return false;
    } catch (StoreException e) {
      return String.valueOf(e.getMessage()).contains("write failed");
    }
  }

  private static Batch batch() {
    var batch = new Batch();
    batch.put(Family.DEFAULT, new byte[] {'z'}, new byte[] {1});
    return batch;
  }
}
