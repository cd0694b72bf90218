package dev.highwater.queue;

import static dev.highwater.queue.WritePathRig.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.Endurance;
import dev.highwater.hook.Answer;
import dev.highwater.hook.ErrorCode;
import dev.highwater.store.Family;
import dev.highwater.store.StoreLease;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The write path as it is, with its own threads, as fast as they go: whoever hands something over
 * gets it answered, and its room is given back. {@link WriterInterleavingsTest} and its like take
 * the pieces through chosen interleavings instead.
 */
class HandOverTest {
  @TempDir Path directory;

  /**
   * The writer asks for the time before each of its looks, the last one before it waits included. A
   * hook comes at each of these moments. With the clock at rest the writer would wait for ten
   * seconds for one that it does not notice.
   */
  @Test
  void aHookThatComesBetweenTheLastLookAndTheWaitingIsAnswered() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.clock.rest();
      get(rig.submit("original", "key"));
      int came = 0;
      for (int moment = 1; moment <= 12; moment++) {
        var late = new LateHook(rig, moment);
        rig.clock.whenAsked(late);
        answer(rig.submit("early", "key"));
        await().until(() -> late.answer != null || late.writerWaits());
        rig.clock.whenAsked(() -> {});
        if (late.answer != null) {
          came++;
          assertThat(answer(late.answer)).isInstanceOf(Answer.Duplicate.class);
        }
      }
      assertThat(came).as("moments at which a hook came").isGreaterThan(4);
    }
  }

  /** Submits one when the writer asks for the time for the n-th time. */
  private static final class LateHook implements Runnable {
    private final WritePathRig rig;
    private int left;
    private volatile @Nullable Thread writer;
    volatile @Nullable CompletableFuture<Answer> answer;

    LateHook(WritePathRig rig, int moment) {
      this.rig = rig;
      this.left = moment;
    }

    @Override
    public void run() {
      Thread asks = Thread.currentThread();
      if (asks.getName().equals("highwater-writer")) {
        writer = asks;
        left--;
        if (left == 0) {
          answer = rig.submit("late", "key");
        }
      }
    }

    boolean writerWaits() {
      Thread seen = writer;
      return seen != null && seen.getState() == Thread.State.TIMED_WAITING;
    }
  }

  /** The same as fast as it goes. */
  @Test
  void whoeverComesBackAsFastAsItGoesIsAnswered() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.clock.rest();
      get(rig.submit("original", "key"));
      for (int i = 0; i < Endurance.rounds(10_000, 3_000_000); i++) {
        assertThat(answer(rig.submit("again", "key"))).isInstanceOf(Answer.Duplicate.class);
      }
      assertThat(rig.budget.records()).isZero();
      assertThat(rig.budget.bytes()).isZero();
    }
  }

  /** There is room for a thousand commands: none may keep it. */
  @Test
  void aCommandIsAnsweredAndItsRoomIsGivenBack() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.clock.rest();
      for (int i = 0; i < Endurance.rounds(5_000, 1_000_000); i++) {
        assertThat(answer(rig.writer.submit(new Unwanted())))
            .isInstanceOf(CommandAnswer.Rejected.class);
      }
    }
  }

  @Test
  void aHookThatWasLetInBeforeTheWriterEndedAndIsQueuedAfterIsAnswered() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      rig.beforeQueueing = () -> stop(rig.writer);

      assertThat(answer(rig.submit("late"))).isEqualTo(new Answer.Refused(ErrorCode.DRAINING));
      assertThat(rig.budget.records()).isZero();
    }
  }

  private static void stop(WriterService writer) {
    try {
      assertThat(writer.stop(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts it", e);
    }
  }

  /** Fences come and go under callers and commands; a reader looks at the marks all the time. */
  @Test
  void whileTheDiskFailsAndRecoversEverythingIsAnsweredAndNoMarkGoesBack() throws Exception {
    long seed = Endurance.seed(HandOverTest.class);
    var random = new SplittableRandom(seed);
    try (var rig = WritePathRig.fresh(directory)) {
      var numbers = new AtomicLong();
      var over = new AtomicBoolean();
      Queue<String> wrong = new ConcurrentLinkedQueue<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        threads.add(Thread.ofPlatform().start(() -> submitInTurn(rig, numbers, over, wrong)));
      }
      threads.add(Thread.ofPlatform().start(() -> commandInTurn(rig, over, wrong)));
      threads.add(Thread.ofPlatform().start(() -> watch(rig.marks, over, wrong)));
      for (int round = 0; round < Endurance.rounds(25, 2_000); round++) {
        long reached = rig.marks.read().durableSeq() + 1 + random.nextInt(20);
        if (random.nextBoolean()) {
          rig.disk.failNextSync("sync failed: Input/output error");
        } else {
          rig.disk.failNextWrite(random.nextBoolean());
        }
        rig.disk.slowSyncs(Duration.ofNanos(random.nextInt(1_000_000)));
        await()
            .atMost(Duration.ofSeconds(30))
            .pollInterval(Duration.ofMillis(1))
            .until(() -> !wrong.isEmpty() || rig.marks.read().durableSeq() >= reached);
      }
      over.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(wrong).as("seed %d", seed).isEmpty();
      rig.disk.heal();
      rig.awaitOpen();
      assertThat(get(rig.submit("after"))).isInstanceOf(Answer.Stored.class);
      assertThat(rig.deaths).isEmpty();
      assertThat(rig.budget.records()).isZero();
      assertThat(rig.budget.bytes()).isZero();
    }
  }

  private static CompletableFuture<Answer> submit(WritePathRig rig, long number) {
    var content = new NumberedHook(number, 1, 100).content();
    var permit = rig.budget.enter(content.source().tenant());
    if (permit == null || !permit.grow(content.body().length)) {
      throw new IllegalStateException("no room");
    }
    return rig.writer.submit(content, new int[] {WritePathRig.SINK}, permit);
  }

  private static void submitInTurn(
      WritePathRig rig, AtomicLong numbers, AtomicBoolean over, Queue<String> wrong) {
    while (!over.get()) {
      long number = numbers.incrementAndGet();
      try {
        // Some of them twice, for an answer without a write.
        submit(rig, number).get(30, TimeUnit.SECONDS);
        submit(rig, number - number % 2).get(30, TimeUnit.SECONDS);
      } catch (Exception e) {
        wrong.add("hook " + number + " was not answered: " + e);
        return;
      }
    }
  }

  private static void commandInTurn(WritePathRig rig, AtomicBoolean over, Queue<String> wrong) {
    while (!over.get()) {
      try {
        CommandAnswer answer = rig.writer.submit(new Wanted()).get(30, TimeUnit.SECONDS);
        if (answer.equals(new CommandAnswer.Refused(new Answer.Refused(ErrorCode.OVERLOAD)))) {
          wrong.add("a command has kept its room");
          return;
        }
      } catch (Exception e) {
        wrong.add("a command was not answered: " + e);
        return;
      }
    }
  }

  private static void watch(DurableMarks marks, AtomicBoolean over, Queue<String> wrong) {
    Marks before = marks.read();
    while (!over.get()) {
      Marks now = marks.read();
      if (now.appliedSeq() < before.appliedSeq()
          || now.durableSeq() < before.durableSeq()
          || now.durableAt() < before.durableAt()
          || now.epoch() < before.epoch()
          || now.durableSeq() > now.appliedSeq()
          || (now.fenced()
              && now.epoch() == before.epoch()
              && now.durableSeq() != before.durableSeq())) {
        wrong.add("the marks went from " + before + " to " + now);
        return;
      }
      before = now;
      Thread.onSpinWait();
    }
  }

  /** Waits at full speed, so that it is back before the other thread has got far. */
  private static <T> T answer(CompletableFuture<T> future) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (!future.isDone()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("it was not answered");
      }
      Thread.onSpinWait();
    }
    return future.join();
  }

  /** Writes a row. */
  private static final class Wanted implements Command {
    private static final byte[] KEY = "z:hand-over".getBytes(StandardCharsets.UTF_8);

    @Override
    public long bytes() {
      return 1;
    }

    @Override
    public List<Change> decide(StoreLease view, long at) {
      return List.of(new Change(Family.DEFAULT, KEY, new byte[] {(byte) at}));
    }
  }

  /** Finds that it must not be carried out. */
  private static final class Unwanted implements Command {
    @Override
    public long bytes() {
      return 1;
    }

    @Override
    public List<Change> decide(StoreLease view, long at) throws RejectedCommandException {
      throw new RejectedCommandException("unwanted");
    }
  }
}
