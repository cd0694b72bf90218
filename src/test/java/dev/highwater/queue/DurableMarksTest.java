package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DurableMarksTest {
  private final DurableMarks marks = new DurableMarks(10, 1_000);

  @Test
  void whatAStartHasFoundIsDurable() {
    assertThat(marks.read().unsynced()).isFalse();
    assertThat(marks.read().visible(5_000)).isEqualTo(5_000);
  }

  @Test
  void anAppliedGroupHoldsBackEverythingFromTheStampOfTheNewestDurableGroup() {
    assertThat(marks.raiseApplied(0, 12, 2_000)).isTrue();
    assertThat(marks.read().visible(9_000)).isEqualTo(999);
    assertThat(marks.markDurable(0, 12, 2_000)).isTrue();
    assertThat(marks.read().visible(9_000)).isEqualTo(9_000);
  }

  @Test
  void theMarkIsNeverLowered() {
    marks.raiseApplied(0, 12, 2_000);
    marks.markDurable(0, 12, 2_000);
    marks.markDurable(0, 11, 1_500);
    assertThat(marks.read().durableSeq()).isEqualTo(12);
    assertThat(marks.read().durableAt()).isEqualTo(2_000);
  }

  @Test
  void afterTheLatchNoWriteStartsAndNoMarkMoves() {
    marks.raiseApplied(0, 12, 2_000);
    assertThat(marks.latch()).isTrue();
    assertThat(marks.latch()).isFalse();
    assertThat(marks.raiseApplied(0, 13, 3_000)).isFalse();
    assertThat(marks.raiseApplied(1, 13, 3_000)).isFalse();
    assertThat(marks.markDurable(0, 12, 2_000)).isFalse();
    assertThat(marks.read()).isEqualTo(new Marks(12, 10, 1_000, 2_000, 1, true));
  }

  @Test
  void aResultOfAnOlderEpochNeverMovesTheMark() {
    marks.raiseApplied(0, 12, 2_000);
    marks.latch();
    assertThat(marks.resume(1, 12, 2_500)).isTrue();
    marks.raiseApplied(1, 20, 3_000);
    assertThat(marks.markDurable(0, 20, 3_000)).isFalse();
    assertThat(marks.read().durableSeq()).isEqualTo(12);
  }

  @Test
  void aResumeOfAnotherFenceDoesNotOpenThisOne() {
    marks.latch();
    marks.resume(1, 10, 1_000);
    marks.latch();
    assertThat(marks.resume(1, 10, 1_000)).isFalse();
    assertThat(marks.read().fenced()).isTrue();
  }

  @Test
  void whatIsNotAppliedCannotBeDurable() {
    assertThatThrownBy(() -> marks.markDurable(0, 11, 2_000))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> marks.raiseApplied(0, 10, 2_000))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void noReaderEverSeesATornPair() throws Exception {
    var stop = new AtomicBoolean();
    var torn = new AtomicBoolean();
    var reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!stop.get()) {
                    Marks now = marks.read();
                    // The test below keeps the stamp at 100 times the seq.
                    if (now.durableAt() != now.durableSeq() * 100
                        || now.durableSeq() > now.appliedSeq()) {
                      torn.set(true);
                    }
                  }
                });
    for (long seq = 11; seq < 200_000; seq++) {
      marks.raiseApplied(0, seq, seq * 100);
      marks.markDurable(0, seq, seq * 100);
    }
    stop.set(true);
    reader.join();
    assertThat(torn).isFalse();
  }
}
