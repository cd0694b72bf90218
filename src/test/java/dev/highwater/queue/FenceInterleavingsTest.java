package dev.highwater.queue;

import static dev.highwater.queue.Interleavings.atOnce;
import static dev.highwater.queue.Interleavings.must;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fence between the threads that meet a failure, whatever the interleaving (G6). */
class FenceInterleavingsTest {
  private static final FenceMarker MARKER = new FenceMarker(Path.of("FENCED"));

  private AutoCloseable silence = () -> {};

  @BeforeEach
  void beSilent() {
    silence = Interleavings.silence(Fence.class);
  }

  @AfterEach
  void speakAgain() throws Exception {
    silence.close();
  }

  /** A write and a sync fail while the writer goes on. */
  @Test
  void twoFailuresMakeOneFenceThatHoldsAllThatWasHandedToAWrite() {
    Interleavings.check(
        () -> new Rig(),
        rig -> {
          var handed = new AtomicLong();
          atOnce(
              () -> {
                while (rig.write()) {
                  handed.incrementAndGet();
                  if (handed.get() == 2) {
                    break;
                  }
                }
              },
              () -> rig.fence.latch("a write failed"),
              () -> rig.fence.latch("a sync failed"));

          Fence.Latched last = rig.last();
          must(rig.fence.count() == 1, rig.fence.count() + " fences");
          must(last.failures() == 2, last.failures() + " failures are known");
          must(rig.wakes.get() == 1, "the writer is woken " + rig.wakes.get() + " times");
          must(last.range().from() == 1, "the range is " + last.range());
          must(last.range().to() == handed.get(), handed.get() + " handed, " + last.range());
          must(rig.marks.read().appliedSeq() == handed.get(), "a write began after the latch");
          must(rig.markers.get() == (handed.get() == 0 ? 0 : 1), rig.markers.get() + " markers");
          must(rig.store.generation() >= last.generation() + 1, "the store is not reopened");
        });
  }

  /** The syncer waits for the marker of the fence it sees before it answers with an error. */
  @Test
  void whoSeesTheQueueFencedFindsThatFence() {
    Interleavings.check(
        () -> new Rig(),
        rig -> {
          rig.write();
          atOnce(
              () -> rig.fence.latch("a sync failed"),
              () -> {
                Marks now = rig.marks.read();
                if (now.fenced()) {
                  must(rig.last().epoch() == now.epoch(), "that is another fence");
                }
              });
        });
  }

  /** It fails again while the syncer opens the fence after a clean-up. */
  @Test
  void aFailureWhileTheFenceIsOpenedIsNeverLost() {
    Interleavings.check(
        () -> new Rig(),
        rig -> {
          rig.write();
          rig.fence.latch("a sync failed");
          Fence.Latched settled = rig.last();
          var opened = new AtomicInteger();
          atOnce(
              () -> {
                if (rig.fence.open(settled, 1, 1)) {
                  opened.incrementAndGet();
                }
              },
              () -> rig.fence.latch("the disk failed again"));

          must(rig.marks.read().fenced(), "the failure is forgotten");
          must(rig.fence.count() == 1 + opened.get(), rig.fence.count() + " fences");
          must(rig.last().failures() == 2, rig.last().failures() + " failures are known");
          must(!rig.fence.open(settled, 1, 1), "a clean-up from before the failure opens it");
        });
  }

  /** A fence over marks of its own, with a store that is opened again at once. */
  private static final class Rig {
    final AtomicInteger markers = new AtomicInteger();
    final AtomicInteger wakes = new AtomicInteger();
    final DurableMarks marks = new DurableMarks(0, 0);
    final NoStore store = new NoStore();
    final Fence fence =
        new Fence(marks, MARKER, store, task -> markers.incrementAndGet(), () -> Instant.EPOCH);

    Rig() {
      fence.whenLatched(wakes::incrementAndGet);
    }

    boolean write() {
      Marks now = marks.read();
      return marks.raiseApplied(now.epoch(), now.appliedSeq() + 1, 1);
    }

    Fence.Latched last() {
      return Objects.requireNonNull(fence.last(), "there is no fence");
    }
  }
}
