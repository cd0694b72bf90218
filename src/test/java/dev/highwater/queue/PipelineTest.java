package dev.highwater.queue;

import static dev.highwater.queue.WritePathRig.get;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.hook.Answer;
import dev.highwater.hook.Answer.Duplicate;
import dev.highwater.hook.Answer.Refused;
import dev.highwater.hook.Answer.Stored;
import dev.highwater.hook.ErrorCode;
import dev.highwater.hook.SourceRef;
import dev.highwater.store.Family;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** What holds while the disk works, however slowly. */
class PipelineTest {
  @TempDir Path directory;

  @Test
  void noAnswerLeavesBeforeTheSyncThatCoversIt() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var answer = rig.submit("a");
      rig.disk.awaitSyncStarted();
      assertThat(answer).isNotDone();
      rig.disk.releaseSyncs();
      assertThat(get(answer)).isInstanceOf(Stored.class);
    }
  }

  @Test
  void theWriterGoesOnWhileASyncRunsAndOneSyncAnswersAllThatQueued() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var first = rig.submit("first");
      rig.disk.awaitSyncStarted();
      List<CompletableFuture<Answer>> later = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        later.add(rig.submit("later " + i));
        rig.awaitApplied(2 + i);
      }
      assertThat(rig.marks.read().gap()).isEqualTo(11);
      assertThat(first).isNotDone();

      rig.disk.releaseOneSync();
      get(first);
      assertThat(later).noneMatch(CompletableFuture::isDone);

      rig.disk.releaseOneSync();
      later.forEach(WritePathRig::get);
      assertThat(rig.disk.syncs()).isEqualTo(2);
      assertThat(rig.marks.read().gap()).isZero();
    }
  }

  @Test
  void aSyncThatHasBegunDoesNotCoverWhatWasWrittenAfter() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var before = rig.submit("before");
      rig.disk.awaitSyncStarted();
      var after = rig.submit("after");
      rig.awaitApplied(2);
      rig.disk.releaseOneSync();
      get(before);
      assertThat(after).isNotDone();
      assertThat(rig.marks.read().durableSeq()).isEqualTo(1);
    }
  }

  @Test
  void nothingInThePipelineIsVisibleToDispatch() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      get(rig.submit("old"));
      rig.clock.stepWall(ofSeconds(5));
      rig.disk.holdSyncs();
      var answer = rig.submit("new");
      rig.disk.awaitSyncStarted();
      long stamp = rig.hooks().get(1).at();
      Marks marks = rig.marks.read();
      assertThat(marks.unsynced()).isTrue();
      assertThat(marks.visible(stamp + 60_000)).isLessThan(stamp);
      rig.disk.releaseSyncs();
      get(answer);
      assertThat(rig.marks.read().visible(stamp + 60_000)).isEqualTo(stamp + 60_000);
    }
  }

  @Test
  void dispatchIsWokenOnlyByWhatIsDurable() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var answer = rig.submit("a");
      rig.disk.awaitSyncStarted();
      assertThat(rig.wakes).isEmpty();
      rig.disk.releaseSyncs();
      get(answer);
      assertThat(rig.wakes)
          .containsExactly(WritePathRig.SINK + "x1(1 bytes)@" + rig.hooks().getFirst().at());
    }
  }

  @Test
  void dispatchIsToldHowLongTheBodiesOfAGroupAre() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var first = rig.submit("first");
      rig.disk.awaitSyncStarted();
      var answers = List.of(first, rig.submit("four"), rig.submit("five5"), rig.submit(""));
      rig.awaitApplied(4);
      rig.disk.releaseSyncs();
      answers.forEach(WritePathRig::get);
      var told = rig.wakes.stream().map(wake -> wake.replaceAll(".*\\((\\d+) bytes.*", "$1"));
      assertThat(told.mapToInt(Integer::parseInt).sum()).isEqualTo("firstfourfive5".length());
    }
  }

  @Test
  void aDuplicateOfAHookInThePipelineWaitsForItsOriginalsSync() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var original = rig.submit("a", "key");
      rig.disk.awaitSyncStarted();
      var duplicate = rig.submit("a", "key");
      await().until(() -> rig.budget.records() == 2);
      assertThat(duplicate).isNotDone();
      rig.disk.releaseSyncs();
      var stored = (Stored) get(original);
      assertThat(get(duplicate)).isEqualTo(new Duplicate(stored.id()));
      assertThat(rig.bodies()).containsExactly("a");
    }
  }

  @Test
  void aDuplicateOfADurableHookIsAnsweredWithoutASync() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      var stored = (Stored) get(rig.submit("a", "key"));
      long syncs = rig.disk.syncs();
      assertThat(get(rig.submit("again", "key"))).isEqualTo(new Duplicate(stored.id()));
      assertThat(rig.disk.syncs()).isEqualTo(syncs);
    }
  }

  @Test
  void theSameKeyTwiceInOneGroupIsOneHookAndOneDuplicate() throws Exception {
    try (var rig = WritePathRig.waiting(directory)) {
      var first = rig.submit("a", "key");
      var second = rig.submit("b", "key");
      var other =
          rig.submit(rig.content(new SourceRef("other", "github"), "other tenant", "key", "POST"));
      rig.start();
      var stored = (Stored) get(first);
      assertThat(get(second)).isEqualTo(new Duplicate(stored.id()));
      assertThat(get(other)).isInstanceOf(Stored.class);
      assertThat(rig.bodies()).containsExactly("a", "other tenant");
      assertThat(rig.disk.writes()).isEqualTo(1);
    }
  }

  @Test
  void aKeyIsFreeAgainWhenItsWindowIsOverAndItsRowsGo() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      get(rig.submit("a", "key"));
      rig.clock.stepWall(Duration.ofDays(3).plusMillis(1));
      assertThat(get(rig.submit("b", "key"))).isInstanceOf(Stored.class);
      get(rig.submit("c", "other"));
      rig.clock.stepWall(Duration.ofDays(4));
      rig.clock.passMonotonic(ofSeconds(11));
      // Any ticket makes the writer look at what is due.
      get(rig.submit("d"));
      await().until(() -> rig.rows(Family.INDEX) == 2 * 4);
    }
  }

  @Test
  void aSweepDoesNotTakeAKeyThatWasUsedAnew() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      get(rig.submit("a", "key"));
      rig.clock.stepWall(Duration.ofDays(3).plusMillis(1));
      var stored = (Stored) get(rig.submit("b", "key"));
      rig.clock.passMonotonic(ofSeconds(11));
      get(rig.submit("c"));
      assertThat(get(rig.submit("again", "key"))).isEqualTo(new Duplicate(stored.id()));
    }
  }

  @Test
  void aDedupeRowThatDoesNotDecodeIsAbsentAndIsOverwritten() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      var batch = new dev.highwater.store.Batch();
      batch.put(
          Family.INDEX,
          dev.highwater.codec.Keys.dedupe(WritePathRig.SOURCE, new byte[] {'k'}),
          new byte[] {1, 2, 3});
      rig.repeatable.write(batch);
      var stored = (Stored) get(rig.submit("a", "k"));
      assertThat(get(rig.submit("again", "k"))).isEqualTo(new Duplicate(stored.id()));
    }
  }

  @Test
  void aFailedLookUpRefusesItsGroupAndNothingElse() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.failNextRead("a damaged block");
      assertThat(get(rig.submit("a", "key"))).isEqualTo(new Refused(ErrorCode.STORE_UNAVAILABLE));
      assertThat(get(rig.submit("a", "key"))).isInstanceOf(Stored.class);
      assertThat(rig.bodies()).containsExactly("a");
      assertThat(rig.fence.count()).isZero();
    }
  }

  @Test
  void aRecordThatCannotBeEncodedFailsAlone() throws Exception {
    try (var rig = WritePathRig.waiting(directory)) {
      var before = rig.submit("before");
      var poison = rig.submit(rig.content(WritePathRig.SOURCE, "poison", "key", "M".repeat(300)));
      var after = rig.submit("after", "key");
      rig.start();
      assertThat(get(before)).isInstanceOf(Stored.class);
      assertThat(get(poison)).isEqualTo(new Refused(ErrorCode.INTERNAL));
      assertThat(get(after)).isInstanceOf(Stored.class);
      assertThat(rig.bodies()).containsExactly("before", "after");
      assertThat(rig.deaths).isEmpty();
    }
  }

  @Test
  void aHookThatWaitedTooLongIsRefusedAndNeverStored() throws Exception {
    try (var rig = WritePathRig.waiting(directory)) {
      var late = rig.submit("late", "key");
      rig.clock.passMonotonic(ofSeconds(16));
      rig.start();
      assertThat(get(late)).isEqualTo(new Refused(ErrorCode.OVERLOAD));
      assertThat(get(rig.submit("late", "key"))).isInstanceOf(Stored.class);
      assertThat(rig.bodies()).containsExactly("late");
    }
  }

  @Test
  void aCommitThatHasStartedIsNeverAbandonedHoweverSlowTheDisk() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var slow = rig.submit("slow");
      rig.disk.awaitSyncStarted();
      rig.clock.passMonotonic(ofSeconds(60));
      assertThat(rig.inspector.status().stalled()).isTrue();
      assertThat(get(rig.submit("new"))).isEqualTo(new Refused(ErrorCode.STORE_UNAVAILABLE));
      assertThat(rig.marks.read().fenced()).isFalse();
      rig.disk.releaseSyncs();
      assertThat(get(slow)).isInstanceOf(Stored.class);
      assertThat(rig.inspector.status().accepting()).isTrue();
      assertThat(rig.bodies()).containsExactly("slow");
    }
  }

  @Test
  void theRoomIsFreeAgainWhenAllIsAnswered() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var answer = rig.submit("12345");
      rig.disk.awaitSyncStarted();
      assertThat(rig.budget.records()).isEqualTo(1);
      assertThat(rig.budget.bytes()).isEqualTo(5);
      rig.disk.releaseSyncs();
      get(answer);
      assertThat(rig.budget.records()).isZero();
      assertThat(rig.budget.bytes()).isZero();
    }
  }

  @Test
  void aGroupIsBoundedInHooksAndBytes() throws Exception {
    var settings =
        new QueueProperties(
            3, DataSize.ofMegabytes(1), 100, DataSize.ofMegabytes(8), ofSeconds(15), ofSeconds(20));
    try (var rig = WritePathRig.fresh(directory, settings)) {
      rig.disk.holdSyncs();
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        answers.add(rig.submit("x".repeat(i % 2 == 0 ? 10 : 500_000)));
      }
      rig.awaitApplied(30);
      rig.disk.releaseSyncs();
      answers.forEach(WritePathRig::get);
      assertThat(rig.disk.writes()).isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void aFullBacklogRefusesItsOwnSourceOnly() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.fullSources.add("github");
      assertThat(get(rig.submit("a"))).isEqualTo(new Refused(ErrorCode.BACKLOG_FULL));
      var other = rig.submit(rig.content(SourceRef.of("other"), "b", null, "POST"));
      assertThat(get(other)).isInstanceOf(Stored.class);
      assertThat(rig.bodies()).containsExactly("b");
      assertThat(rig.budget.records()).isZero();
    }
  }

  @Test
  void aStopCommitsAndAnswersWhatIsWaiting() throws Exception {
    var rig = WritePathRig.waiting(directory);
    var waiting = rig.submit("waiting");
    rig.start();
    rig.close();
    assertThat(get(waiting)).isInstanceOf(Stored.class);
    try (var next = rig.restart()) {
      assertThat(next.bodies()).containsExactly("waiting");
      assertThat(get(rig.submit("too late"))).isEqualTo(new Refused(ErrorCode.DRAINING));
    }
  }

  @Test
  void commandsThatWaitForTheDiskAreBoundedInNumberAndBytes() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      List<CompletableFuture<CommandAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < WriterService.MOST_COMMANDS; i++) {
        answers.add(rig.writer.submit(command(1)));
      }
      rig.awaitApplied(WriterService.MOST_COMMANDS);
      var overload = new CommandAnswer.Refused(new Refused(ErrorCode.OVERLOAD));
      assertThat(rig.writer.submit(command(1))).isCompletedWithValue(overload);
      rig.disk.releaseSyncs();
      for (var answer : answers) {
        assertThat(answer).succeedsWithin(ofSeconds(10)).isEqualTo(CommandAnswer.DONE);
      }

      rig.disk.holdSyncs();
      var large = rig.writer.submit(command(WriterService.MOST_COMMAND_BYTES));
      assertThat(rig.writer.submit(command(1))).isCompletedWithValue(overload);
      rig.disk.releaseSyncs();
      assertThat(large).succeedsWithin(ofSeconds(10)).isEqualTo(CommandAnswer.DONE);
      assertThat(rig.writer.submit(command(1)))
          .succeedsWithin(ofSeconds(10))
          .isEqualTo(CommandAnswer.DONE);
      assertThat(rig.deaths).isEmpty();
    }
  }

  private static Command command(long bytes) {
    return new Command() {
      @Override
      public long bytes() {
        return bytes;
      }

      @Override
      public List<Command.Change> decide(dev.highwater.store.StoreLease view, long at) {
        return List.of(new Command.Change(Family.DEFAULT, new byte[] {'z'}, new byte[] {1}));
      }
    };
  }

  @Test
  void onlyWhatIsAnsweredIsCountedAsAnswered() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.disk.holdSyncs();
      var original = rig.submit("a", "key");
      rig.disk.awaitSyncStarted();
      var duplicate = rig.submit("again", "key");
      var other = rig.submit("b");
      rig.awaitApplied(2);
      assertThat(rig.answeredDuplicates).hasValue(0);
      rig.disk.releaseSyncs();
      List.of(original, duplicate, other).forEach(WritePathRig::get);
      // Of a durable original: answered without a sync.
      get(rig.submit("and again", "key"));
      await().untilAtomic(rig.answeredCalls, org.hamcrest.Matchers.equalTo(4L));
      assertThat(rig.answeredDuplicates).hasValue(2);
    }
  }

  @Test
  void aDamagedExpiryRowDoesNotStopTheWriter() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      var batch = new dev.highwater.store.Batch();
      batch.put(Family.INDEX, new byte[] {'e', 0}, new byte[0]);
      rig.repeatable.write(batch);
      rig.clock.passMonotonic(ofSeconds(11));
      assertThat(get(rig.submit("a"))).isInstanceOf(Stored.class);
      assertThat(rig.deaths).isEmpty();
      await().until(() -> rig.rows(Family.INDEX) == 2);
    }
  }

  @Test
  void aThreadThatDiesEndsTheProcess() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.syncer.addListener(
          new DurableListener() {
            @Override
            public void durable(List<DueRows> due, long at) {
              throw new IllegalStateException("a bug");
            }

            @Override
            public void resumed() {}
          });
      assertThat(rig.submit("a")).isNotDone();
      await().until(() -> rig.deaths.contains("syncer"));
    }
  }
}
