package dev.highwater.queue;

import static dev.highwater.queue.Interleavings.atOnce;
import static dev.highwater.queue.Interleavings.must;

import dev.highwater.Endurance;
import dev.highwater.hook.Answer;
import dev.highwater.hook.Hook;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The writer's queue between its callers and its end, whatever the interleaving. */
class WriterInterleavingsTest {
  private static final Hook.Content HOOK = NumberedHook.of(1).content();
  private static final QueueProperties SETTINGS = QueueProperties.defaults();
  private static final PenProperties PEN = PenProperties.defaults();

  private AutoCloseable silence = () -> {};

  @BeforeEach
  void beSilent() {
    silence = Interleavings.silence(WriterService.class);
  }

  @AfterEach
  void speakAgain() throws Exception {
    silence.close();
  }

  /**
   * A caller may have been let in just before the stop, and add its hook after the last look. For
   * the long form: Lincheck has to rewrite half of the classes of the program for it.
   */
  @Test
  void whoeverSubmitsWhileTheWriterEndsIsAnswered() {
    Assumptions.assumeTrue(Endurance.isLong(), "for the long form");
    Interleavings.check(
        () -> writer(),
        writer -> {
          var budget = new IntakeBudget(2, 100, () -> false);
          var running = new Thread[1];
          writer.start(
              run -> {
                running[0] = new Thread(run);
                running[0].start();
              });
          atOnce(
              () -> {
                var permit = Objects.requireNonNull(budget.enter("default"), "there is room");
                must(permit.grow(1), "there is room");
                CompletableFuture<Answer> answer = writer.submit(HOOK, new int[0], permit);
                join(running[0]);
                must(answer.isDone(), "it is never answered");
                must(budget.records() == 0, "its room is not given back");
              },
              () -> stop(writer));
        });
  }

  private static WriterService writer() {
    var marks = new DurableMarks(0, 0);
    var store = new NoStore();
    var fence =
        new Fence(
            marks, new FenceMarker(Path.of("FENCED")), store, task -> {}, () -> Instant.EPOCH);
    var syncer =
        new SyncerService(store, marks, fence, 2, () -> 0, QueueObserver.NONE, death -> {});
    return new WriterService(
        store,
        marks,
        fence,
        syncer,
        new StampClock(() -> Instant.EPOCH, () -> 0, 0),
        BacklogLimit.NONE,
        new PenRoom(PEN, SETTINGS, false),
        SETTINGS,
        () -> 0,
        QueueObserver.NONE,
        death -> {});
  }

  private static void stop(WriterService writer) {
    try {
      writer.stop(0, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts it", e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts it", e);
    }
  }
}
