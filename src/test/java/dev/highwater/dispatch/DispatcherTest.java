package dev.highwater.dispatch;

import static dev.highwater.dispatch.Bench.START;
import static dev.highwater.dispatch.Bench.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.codec.Keys;
import dev.highwater.hook.Delivery;
import dev.highwater.queue.DueRows;
import dev.highwater.sink.Outcome;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One sink, or two that must not disturb each other; the test is writer, syncer and clock. */
class DispatcherTest {
  private Bench bench;

  @BeforeEach
  void newBench() throws StoreException {
    bench = new Bench();
  }

  @AfterEach
  void closeBench() {
    bench.close();
  }

  private static void assertDelivered(Bench bench, FakeSink sink, int hooks) {
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(hooks));
    assertThat(sink.attempts()).isEqualTo(hooks);
  }

  @Test
  void aDurableHookIsDeliveredOnceAndRemembered() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    int id = bench.id("default", "shop", "main");
    bench.start();

    bench.take("default", "shop", 3);

    assertDelivered(bench, sink, 3);
    assertThat(sink.seqs()).containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(bench.due()).isEmpty();
    assertThat(bench.delivery(1, id))
        .isEqualTo(new Delivery(1, id, Delivery.State.DELIVERED, 1, START, Bench.WALL, ""));
    SinkStats stats = bench.stats("default", "shop", "main");
    soon().untilAsserted(() -> assertThat(stats.delivered()).isEqualTo(3));
    assertThat(stats.pending()).isZero();
    assertThat(stats.inFlight()).isZero();
    assertThat(stats.oldestDue()).isEmpty();
    soon().untilAsserted(() -> assertThat(bench.observed).hasSize(3));
  }

  @Test
  void nothingOfAGroupThatMayNotBeDurableIsDelivered() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.apply("default", "shop", 1, 10);
    bench.stamp.addAndGet(5);
    bench.apply("default", "shop", 1, 10);
    bench.stamp.addAndGet(5);
    bench.apply("default", "shop", 1, 10);

    bench.mark(2, START + 5);
    bench.dispatcher().durable(List.of(new DueRows(1, 1, 10)), START);
    bench.dispatcher().durable(List.of(new DueRows(1, 1, 10)), START + 5);

    // The second group is durable, but a third of the same stamp could be in the pipeline.
    assertDelivered(bench, sink, 1);
    assertThat(sink.seqs()).containsExactly(1L);

    bench.sync("default", "shop", 1, 10);
    assertDelivered(bench, sink, 3);
  }

  @Test
  void rowsBehindTheMarkAreSeenWhenItMovesForAGroupWithoutDueRows() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.apply("default", "shop", 1, 10);
    bench.stamp.addAndGet(5);
    bench.apply("default", "shop", 1, 10);
    bench.mark(1, START);
    bench.dispatcher().durable(List.of(new DueRows(1, 1, 10)), START);

    bench.mark(2, START + 5);
    bench.dispatcher().durable(List.of(), START + 5);

    assertDelivered(bench, sink, 2);
  }

  @Test
  void afterAFenceOnlyWhatWasDurableIsDelivered() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.apply("default", "shop", 2, 10);
    bench.mark(2, START);
    bench.stamp.addAndGet(5);
    List<Long> refused = bench.apply("default", "shop", 2, 10);
    bench.fence();
    bench.dispatcher().durable(List.of(new DueRows(1, 2, 20)), START);
    bench.advance(Duration.ofMinutes(1));
    bench.stamp.addAndGet(-60_000);

    bench.resume(refused, "default", "shop");

    assertDelivered(bench, sink, 2);
    assertThat(sink.seqs()).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void aDueRowThatAFenceBroughtBackIsDeliveredAgain() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.take("default", "shop", 1);
    assertDelivered(bench, sink, 1);

    bench.fence();
    var batch = new Batch();
    batch.put(Family.INDEX, Keys.due(1, START, 1), Keys.number(10));
    bench.write(batch);
    bench.resume(List.of(), "default", "shop");

    assertDelivered(bench, sink, 2);
    assertThat(sink.seqs()).containsExactly(1L, 1L);
  }

  @Test
  void aDueRowThatAFenceBroughtBackUnderARunningAttemptGoesWithItsOutcome() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main", "retry.delays", "5s");
    sink.does(FakeSink.fails());
    bench.start();
    bench.take("default", "shop", 1);
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(1));
    sink.hang();
    bench.advance(Duration.ofSeconds(5));
    soon().untilAsserted(() -> assertThat(sink.running()).isEqualTo(1));

    // What was written of the first attempt is lost, while the second one runs.
    bench.fence();
    var batch = new Batch();
    batch.delete(Family.INDEX, Keys.due(1, START + 5000, 1));
    batch.put(Family.INDEX, Keys.due(1, START, 1), Keys.number(10));
    bench.write(batch);
    long scans = bench.store.scans();
    bench.resume(List.of(), "default", "shop");
    soon().untilAsserted(() -> assertThat(bench.store.scans()).isGreaterThan(scans));
    sink.does(FakeSink.DELIVERS);
    sink.release();

    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(2));
    assertThat(bench.due()).isEmpty();
    assertThat(sink.attempts()).isEqualTo(2);
  }

  @Test
  void aRowThatHasToWaitForAnFsyncIsNotScannedAgainAndAgain() throws StoreException {
    bench.sink("default", "a", "main");
    bench.sink("default", "b", "main");
    bench.apply("default", "a", 1, 10);
    bench.apply("default", "b", 1, 10);
    bench.sync("default", "b", 1, 10);
    // The count at the start scans once; in the middle of the next scan a group is applied.
    bench.store.onceAfterScanOpened(
        () ->
            bench.store.onceAfterScanOpened(
                () -> assertThat(bench.apply("default", "a", 1, 10)).hasSize(1)));
    bench.start();
    soon().untilAsserted(() -> assertThat(bench.marks().unsynced()).isTrue());
    bench.stamp.addAndGet(5);
    bench.sync("default", "a", 1, 10);

    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
    assertThat(bench.store.scans()).isLessThan(16);
  }

  @Test
  void aFailedDeliveryIsTriedAgainAtItsStampAndNotBefore() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main", "retry.delays", "5s, 1m");
    int id = bench.id("default", "shop", "main");
    sink.does(FakeSink.fails());
    bench.start();
    bench.take("default", "shop", 1);
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).containsExactly(1L));
    assertThat(bench.due()).containsExactly(new Keys.Position(id, START + 5_000, 1));
    assertThat(bench.delivery(1, id))
        .isEqualTo(
            new Delivery(1, id, Delivery.State.PENDING, 1, START + 5_000, Bench.WALL, "503"));

    bench.advance(Duration.ofMillis(4_999));
    bench.take("default", "shop", 1);
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).containsExactly(1L, 2L));
    assertThat(sink.seqs()).containsExactly(1L, 2L);

    sink.does(FakeSink.DELIVERS);
    bench.advance(Duration.ofMillis(1));
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).containsExactly(1L, 2L, 1L));
    assertThat(sink.numbers()).containsExactly(1, 1, 2);
    assertThat(bench.stats("default", "shop", "main").pending()).isEqualTo(1);
    assertThat(bench.stats("default", "shop", "main").failed()).isEqualTo(2);
  }

  @Test
  void whatTheOtherSideAsksForIsWaitedFor() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    int id = bench.id("default", "shop", "main");
    sink.does(FakeSink.failsAsking(Duration.ofMinutes(2)));
    bench.start();
    bench.take("default", "shop", 1);

    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(1));
    assertThat(bench.due()).containsExactly(new Keys.Position(id, START + 120_000, 1));
  }

  @Test
  void aDeliveryIsDeadAfterItsLastAttempt() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main", "retry.delays", "5s");
    int id = bench.id("default", "shop", "main");
    sink.does(FakeSink.fails());
    bench.start();
    bench.take("default", "shop", 1);
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(1));
    bench.advance(Duration.ofSeconds(5));

    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(2));
    assertThat(bench.due()).isEmpty();
    assertThat(bench.dead()).containsExactly(new Keys.Position(id, START + 5_000, 1));
    assertThat(bench.store.value(Family.INDEX, Keys.dead(id, START + 5_000, 1)))
        .isEqualTo(Keys.number(10));
    assertThat(bench.delivery(1, id).state()).isEqualTo(Delivery.State.DEAD);
    assertThat(bench.delivery(1, id).attempts()).isEqualTo(2);
    assertThat(bench.delivery(1, id).lastError()).contains("attempt 2", "503");
    soon()
        .untilAsserted(
            () -> assertThat(bench.stats("default", "shop", "main").dead()).isEqualTo(1));
    assertThat(bench.dispatcher().stats().pending()).isZero();
  }

  @Test
  void aPermanentFailureIsDeadAfterOneAttempt() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    sink.does(attempt -> new Outcome.Permanent("410"));
    bench.start();
    bench.take("default", "shop", 1);

    soon().untilAsserted(() -> assertThat(bench.dead()).hasSize(1));
    assertThat(bench.due()).isEmpty();
    assertThat(sink.attempts()).isEqualTo(1);
    assertThat(bench.delivery(1, 1).lastError()).isEqualTo("410");
  }

  @Test
  void theBytesThatWaitAreCountedUntilTheirDeliveryIsOver() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main", "retry.delays", "5s");
    sink.does(FakeSink.fails());
    bench.start();
    bench.take("default", "shop", 2, 1000);
    bench.take("default", "shop", 1, 20);
    SinkStats before = bench.stats("default", "shop", "main");
    soon().untilAsserted(() -> assertThat(before.failed()).isEqualTo(3));
    assertThat(before.pendingBytes()).isEqualTo(2020);

    bench.crash();
    bench.start();
    SinkStats stats = bench.stats("default", "shop", "main");
    assertThat(stats.pendingBytes()).as("counted at the start").isEqualTo(2020);

    sink.does(
        attempt ->
            attempt.hook().content().body().length == 20
                ? new Outcome.Delivered("200")
                : new Outcome.Transient("503", null));
    bench.advance(Duration.ofSeconds(5));
    soon().untilAsserted(() -> assertThat(stats.dead()).isEqualTo(2));
    soon().untilAsserted(() -> assertThat(stats.delivered()).isEqualTo(1));
    assertThat(stats.pendingBytes()).isZero();
  }

  @Test
  void anErrorOfASinkIsATransientFailureAndStopsNothing() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    FakeSink other = bench.sink("default", "bank", "main");
    sink.does(
        attempt -> {
          if (attempt.hook().seq() % 2 == 0) {
            throw new OutOfMemoryError("secret");
          }
          throw new NoClassDefFoundError("secret");
        });
    bench.start();
    bench.take("default", "shop", 20);
    bench.take("default", "bank", 5);

    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(25));
    assertThat(other.attempts()).isEqualTo(5);
    assertThat(bench.delivery(1, 1).lastError())
        .isEqualTo("the sink threw java.lang.NoClassDefFoundError");
    sink.does(FakeSink.DELIVERS);
    bench.advance(Duration.ofSeconds(5));
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(45));
    assertThat(bench.due()).isEmpty();
    assertThat(bench.fatal).hasValue(0);
  }

  @Test
  void outcomesAreKeptWhileTheyCannotBeWrittenAndThenWrittenInOrder() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.outcomesCanBeWritten(false);
    for (int i = 0; i < 5; i++) {
      bench.take("default", "shop", 1);
      int wanted = i + 1;
      soon()
          .untilAsserted(
              () -> assertThat(bench.dispatcher().stats().unwritten()).isEqualTo(wanted));
    }
    assertThat(bench.due()).hasSize(5);
    assertThat(bench.stats("default", "shop", "main").pending()).isEqualTo(5);

    bench.outcomesCanBeWritten(true);
    bench.dispatcher().resumed();

    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).containsExactly(1L, 2L, 3L, 4L, 5L));
    soon().untilAsserted(() -> assertThat(bench.dispatcher().stats().unwritten()).isZero());
    assertThat(bench.due()).isEmpty();
    assertThat(sink.attempts()).isEqualTo(5);
  }

  @Test
  void outcomesAreWrittenWithoutBeingToldThatTheFenceIsOver() throws StoreException {
    bench.sink("default", "shop", "main");
    bench.start();
    bench.outcomesCanBeWritten(false);
    bench.take("default", "shop", 1);
    soon().untilAsserted(() -> assertThat(bench.triedWrites()).isGreaterThanOrEqualTo(2));

    bench.outcomesCanBeWritten(true);

    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
  }

  @Test
  void noMoreRowsAreInFlightThanTheBoundWhileOutcomesCannotBeWritten() throws StoreException {
    bench.bounds(Bench.bounds(4, 4, 10, DispatchProperties.usual().maxBytes()));
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.outcomesCanBeWritten(false);
    bench.take("default", "shop", 50);

    soon().untilAsserted(() -> assertThat(bench.dispatcher().stats().unwritten()).isEqualTo(10));
    int tried = bench.triedWrites();
    soon().untilAsserted(() -> assertThat(bench.triedWrites()).isGreaterThan(tried));
    assertThat(sink.attempts()).isEqualTo(10);

    bench.outcomesCanBeWritten(true);
    bench.dispatcher().resumed();
    assertDelivered(bench, sink, 50);
  }

  @Test
  void aMissingHookIsGivenUpAndItsNeighboursAreDelivered() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.apply("default", "shop", 3, 10);
    var batch = new Batch();
    batch.delete(Family.HOOKS, Keys.hook(2));
    bench.write(batch);
    bench.sync("default", "shop", 3, 10);

    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
    assertThat(sink.seqs()).containsExactlyInAnyOrder(1L, 3L);
    assertThat(bench.dead()).isEmpty();
    soon().untilAsserted(() -> assertThat(bench.dispatcher().stats().pending()).isZero());
    assertThat(bench.dispatcher().stats().dead()).isEqualTo(1);
  }

  @Test
  void aHookThatDoesNotDecodeIsDeadWithTheReasonAndItsNeighboursAreDelivered()
      throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.apply("default", "shop", 3, 10);
    var batch = new Batch();
    batch.put(Family.HOOKS, Keys.hook(2), new byte[40]);
    bench.write(batch);
    bench.sync("default", "shop", 3, 10);

    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
    assertThat(sink.seqs()).containsExactlyInAnyOrder(1L, 3L);
    assertThat(bench.dead()).containsExactly(new Keys.Position(1, START, 2));
    assertThat(bench.delivery(2, 1).lastError()).contains("hook 2 is damaged");
  }

  @Test
  void aHookThatCannotBeReadWaitsAndItsNeighboursAreDelivered() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.store.makeUnreadable(Keys.hook(2));
    bench.start();
    bench.take("default", "shop", 3);

    soon().untilAsserted(() -> assertThat(sink.seqs()).containsExactlyInAnyOrder(1L, 3L));
    soon()
        .untilAsserted(
            () -> assertThat(bench.due()).containsExactly(new Keys.Position(1, START + 30_000, 2)));

    bench.store.makeReadable();
    bench.advance(Duration.ofSeconds(30));
    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
    assertThat(sink.numbers()).containsOnly(1);
  }

  @Test
  void aStoreThatCannotBeReadLosesNothing() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.store.available(false);
    bench.take("default", "shop", 3);
    soon().untilAsserted(() -> assertThat(bench.store.refused()).isGreaterThanOrEqualTo(2));
    assertThat(sink.attempts()).isZero();

    bench.store.available(true);

    assertDelivered(bench, sink, 3);
  }

  @Test
  void aStoreThatFailsToReadEveryHookLosesNothing() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    for (long seq = 1; seq <= 3; seq++) {
      bench.store.makeUnreadable(Keys.hook(seq));
    }
    bench.start();
    bench.take("default", "shop", 3);
    soon().untilAsserted(() -> assertThat(bench.store.failed()).isGreaterThanOrEqualTo(8));
    assertThat(bench.due()).hasSize(3).allMatch(row -> row.at() == START);

    bench.store.makeReadable();

    assertDelivered(bench, sink, 3);
  }

  @Test
  void aDamagedDueRowStopsItsSinkOnly() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    FakeSink other = bench.sink("default", "bank", "main");
    bench.store.makeUnreadable(Keys.due(1, START, 2));
    bench.start();
    bench.take("default", "shop", 3);
    bench.take("default", "bank", 3);

    soon().untilAsserted(() -> assertThat(other.attempts()).isEqualTo(3));
    soon().untilAsserted(() -> assertThat(sink.seqs()).containsExactly(1L));

    bench.store.makeReadable();
    soon().untilAsserted(() -> assertThat(sink.attempts()).isEqualTo(3));
  }

  @Test
  void aWallClockThatStepsBackAnHourDelaysNothing() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main", "retry.delays", "5s");
    sink.does(FakeSink.fails());
    bench.start();
    bench.take("default", "shop", 1);
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(1));

    bench.wall.addAndGet(-Duration.ofHours(1).toMillis());
    sink.does(FakeSink.DELIVERS);
    bench.take("default", "shop", 1);
    bench.advance(Duration.ofSeconds(5));

    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
    assertThat(bench.delivery(1, 1).lastAttemptAt())
        .isEqualTo(Bench.WALL - Duration.ofHours(1).toMillis());
  }

  @Test
  void aRowIsPromptWithoutAnybodyWakingTheDispatcher() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main", "retry.delays", "5s");
    sink.does(FakeSink.fails());
    bench.start();
    bench.take("default", "shop", 1);
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(1));

    // The stamp clock jumps while the thread sleeps until the old time.
    bench.stamp.addAndGet(5_000);

    soon().untilAsserted(() -> assertThat(sink.attempts()).isEqualTo(2));
  }

  @Test
  void aBacklogIsDrainedInTimeLinearInItsRows() throws StoreException {
    int rows = 20_000;
    FakeSink sink = bench.sink("default", "shop", "main");
    for (int i = 0; i < rows / 200; i++) {
      bench.apply("default", "shop", 200, 0);
      bench.stamp.incrementAndGet();
    }
    bench.mark(rows, bench.stamp.get());
    bench.start();

    soon().untilAsserted(() -> assertThat(bench.dispatcher().stats().delivered()).isEqualTo(rows));
    assertThat(sink.attempts()).isEqualTo(rows);
    assertThat(bench.store.steps())
        .as("each row is walked once to count it and once to deliver it")
        .isLessThan(2L * rows + rows / 10);
    assertThat(bench.due()).isEmpty();
    assertThat(bench.dispatcher().stats().pending()).isZero();
  }

  @Test
  void hooksThatKeepComingCostNoScanOfWhatWasDelivered() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    for (int i = 0; i < 200; i++) {
      bench.take("default", "shop", 10);
      bench.stamp.incrementAndGet();
    }
    soon().untilAsserted(() -> assertThat(bench.dispatcher().stats().delivered()).isEqualTo(2_000));
    assertThat(sink.attempts()).isEqualTo(2_000);
    assertThat(bench.store.steps()).isLessThan(3L * 2_000);
  }

  @Test
  void aStopGivesRunningAttemptsTheirTime() throws Exception {
    FakeSink sink = bench.sink("default", "shop", "main");
    sink.hang();
    Dispatcher dispatcher = bench.start();
    bench.take("default", "shop", 20);
    soon().untilAsserted(() -> assertThat(sink.running()).isEqualTo(16));

    Thread stopper = Thread.ofVirtual().start(() -> dispatcher.stop(Duration.ofSeconds(20)));
    soon().until(() -> stopper.getState() == Thread.State.TIMED_WAITING);
    assertThat(sink.isClosed()).isFalse();
    sink.release();
    stopper.join();

    assertThat(sink.attempts()).as("no attempt started after the stop").isEqualTo(16);
    assertThat(bench.writtenSeqs()).hasSize(16);
    assertThat(bench.due()).hasSize(4);
    assertThat(sink.isClosed()).isTrue();
    assertThat(sink.wasClosedWhileRunning()).isFalse();
    assertThat(dispatcher.isRunning()).isFalse();
  }

  @Test
  void aStopInterruptsWhatDoesNotEndAndCountsNoAttempt() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    sink.hang();
    Dispatcher dispatcher = bench.start();
    bench.take("default", "shop", 2);
    soon().untilAsserted(() -> assertThat(sink.running()).isEqualTo(2));

    dispatcher.stop(Duration.ofMillis(1));

    assertThat(sink.running()).isZero();
    assertThat(sink.wasClosedWhileRunning()).isFalse();
    assertThat(bench.due()).hasSize(2);
    assertThat(bench.delivery(1, 1)).isEqualTo(Delivery.pending(1, 1, START));
  }

  @Test
  void whatIsInFlightIsDueAgainAfterACrash() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    sink.hang();
    bench.start();
    bench.take("default", "shop", 3);
    soon().untilAsserted(() -> assertThat(sink.running()).isEqualTo(3));

    bench.crash();
    sink.release();
    bench.start();

    assertThat(bench.stats("default", "shop", "main").pending()).isBetween(0L, 3L);
    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
    assertThat(LongStream.of(1, 2, 3)).allMatch(seq -> bench.delivery(seq, 1).attempts() == 1);
  }

  @Test
  void afterARestartOnlyTheSinkThatFailedIsTriedAgain() throws StoreException {
    FakeSink done = bench.sink("default", "shop", "done");
    FakeSink failed = bench.sink("default", "shop", "failed", "retry.delays", "5s");
    failed.does(FakeSink.fails());
    bench.start();
    bench.take("default", "shop", 1);
    soon().untilAsserted(() -> assertThat(bench.writtenSeqs()).hasSize(2));

    bench.crash();
    bench.advance(Duration.ofSeconds(5));
    failed.does(FakeSink.DELIVERS);
    bench.start();

    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
    assertThat(failed.numbers()).containsExactly(2);
    assertThat(done.attempts()).isZero();
  }

  @Test
  void deliveriesOfARemovedSourceAreKept() throws StoreException {
    FakeSink gone = bench.sink("default", "shop", "main");
    FakeSink left = bench.sink("default", "bank", "main");
    bench.apply("default", "shop", 7, 10);
    bench.apply("default", "bank", 1, 10);
    bench.mark(8, START);
    bench.removeSource("default", "shop");

    Dispatcher dispatcher = bench.start();

    assertThat(dispatcher.stats().kept()).isEqualTo(7);
    soon().untilAsserted(() -> assertThat(bench.due()).hasSize(7));
    assertThat(left.attempts()).isEqualTo(1);
    assertThat(gone.attempts()).isZero();
  }

  @Test
  void aWrongSettingOfASinkRefusesTheStartAndNamesTheKey() {
    bench.sink("default", "bank", "main");
    bench.sink("default", "shop", "main", "retry.delays", "5");

    assertThatThrownBy(bench::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sink main of source default/shop")
        .hasMessageContaining("retry.delays");
  }

  @Test
  void aBugInTheDispatchThreadIsReported() throws StoreException {
    FakeSink sink = bench.sink("default", "shop", "main");
    Dispatcher dispatcher = bench.start();

    bench.breakMarks();

    soon().untilAsserted(() -> assertThat(bench.fatal).hasValue(1));
    soon().until(() -> !dispatcher.isRunning());
    assertThat(sink.isClosed()).isTrue();
  }

  @Test
  void ordinaryDeliveriesGoOutInTheOrderOfTheirStamps() throws StoreException {
    bench.bounds(Bench.bounds(1, 1, 10, DispatchProperties.usual().maxBytes()));
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    List<Long> expected = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      expected.addAll(bench.take("default", "shop", 20));
      bench.stamp.incrementAndGet();
    }
    assertDelivered(bench, sink, 100);
    assertThat(sink.seqs()).isEqualTo(expected);
  }
}
