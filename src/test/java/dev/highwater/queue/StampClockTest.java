package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StampClockTest {
  private long wall = 1_000_000;
  private long nanos = 77;
  private final InstantSource wallClock = () -> Instant.ofEpochMilli(wall);

  private StampClock clock(long last) {
    return new StampClock(wallClock, () -> nanos, last);
  }

  private void pass(long millis) {
    wall += millis;
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void itShowsTheWallClock() {
    var clock = clock(0);
    assertThat(clock.now()).isEqualTo(1_000_000);
    pass(250);
    assertThat(clock.now()).isEqualTo(1_000_250);
  }

  @Test
  void afterAStepBackItGoesOnAtHalfSpeedUntilTheWallClockHasCaughtUp() {
    var clock = clock(0);
    clock.now();
    wall -= 3_600_000;
    assertThat(clock.now()).isEqualTo(1_000_000);
    pass(1_000);
    assertThat(clock.now()).isEqualTo(1_000_500);
    pass(2 * 3_600_000);
    assertThat(clock.now()).isEqualTo(wall);
  }

  @Test
  void afterAStepForwardAndBackARetryWaitsTwiceItsTimeAtMost() {
    var clock = clock(0);
    wall += 3_600_000;
    long due = clock.now() + 5_000;
    wall -= 3_600_000;
    pass(9_998);
    assertThat(clock.now()).isLessThan(due);
    pass(2);
    assertThat(clock.now()).isEqualTo(due);
  }

  @Test
  void readingItOftenDoesNotLoseTime() {
    var clock = clock(2_000_000);
    for (int i = 0; i < 4_000; i++) {
      nanos += 500_000;
      clock.now();
    }
    assertThat(clock.now()).isEqualTo(2_001_000);
  }

  @Test
  void itGoesOnFromTheStampBeforeARestart() {
    assertThat(clock(5_000_000).now()).isEqualTo(5_000_000);
  }
}
