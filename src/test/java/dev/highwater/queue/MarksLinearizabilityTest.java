package dev.highwater.queue;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** The marks between threads, whatever the interleaving. */
class MarksLinearizabilityTest {
  @Test
  void whoeverReadsThemSeesOneOrderOfEverythingThatMovesThem() {
    Interleavings.check(Shared.class, InWords.class);
  }

  /** What is under test, with a group in the pipeline. */
  @Param(name = "epoch", gen = IntGen.class, conf = "0:1")
  @Param(name = "written", gen = IntGen.class, conf = "2:3")
  @Param(name = "new", gen = IntGen.class, conf = "3:5")
  public static final class Shared {
    private final DurableMarks marks = new DurableMarks(0, 0);

    public Shared() {
      marks.raiseApplied(0, 3, 300);
    }

    @Operation
    public boolean raiseApplied(@Param(name = "epoch") int epoch, @Param(name = "new") int seq) {
      return marks.raiseApplied(epoch, seq, 100L * seq);
    }

    @Operation
    public boolean markDurable(@Param(name = "epoch") int epoch, @Param(name = "written") int seq) {
      return marks.markDurable(epoch, seq, 100L * seq);
    }

    @Operation
    public boolean latch() {
      return marks.latch();
    }

    @Operation
    public boolean resume(@Param(name = "new") int seq) {
      return marks.resume(1, seq, 100L * seq);
    }

    @Operation
    public Marks read() {
      return marks.read();
    }

    /** Looks twice, with whatever happens in between. */
    @Operation
    public boolean neverGoesBack() {
      Marks first = marks.read();
      Marks second = marks.read();
      return second.appliedSeq() >= first.appliedSeq()
          && second.durableSeq() >= first.durableSeq()
          && second.durableAt() >= first.durableAt()
          && second.epoch() >= first.epoch();
    }
  }

  /** The same for one thread. */
  public static final class InWords {
    private long applied = 3;
    private long durable;
    private long durableAt;
    private long since = 300;
    private long epoch;
    private boolean fenced;

    public boolean raiseApplied(int inEpoch, int seq) {
      if (fenced || inEpoch != epoch) {
        return false;
      }
      must(seq > applied);
      since = applied > durable ? since : 100L * seq;
      applied = seq;
      return true;
    }

    public boolean markDurable(int inEpoch, int seq) {
      if (fenced || inEpoch != epoch) {
        return false;
      }
      must(seq <= applied);
      if (seq > durable) {
        durable = seq;
        durableAt = 100L * seq;
        since = Math.max(since, durableAt);
      }
      return true;
    }

    public boolean latch() {
      if (fenced) {
        return false;
      }
      fenced = true;
      epoch++;
      return true;
    }

    public boolean resume(int seq) {
      if (!fenced || epoch != 1) {
        return false;
      }
      must(seq >= applied);
      applied = seq;
      durable = seq;
      durableAt = Math.max(durableAt, 100L * seq);
      since = 100L * seq;
      fenced = false;
      return true;
    }

    public Marks read() {
      return new Marks(applied, durable, durableAt, since, epoch, fenced);
    }

    public boolean neverGoesBack() {
      return true;
    }

    private static void must(boolean hold) {
      if (!hold) {
        throw new IllegalStateException();
      }
    }
  }
}
