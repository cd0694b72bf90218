package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a group may fill. */
class GroupPacingTest {
  private static final long MILLISECOND = Duration.ofMillis(1).toNanos();

  @Test
  void whileNoFsyncRunsAGroupIsWrittenAtOnce() {
    assertThat(new GroupPacing(() -> 0, () -> 50 * MILLISECOND, () -> false).hold()).isFalse();
  }

  @Test
  void beforeTheFirstFsyncHasEndedNothingIsKnownAndNothingIsHeld() {
    assertThat(new GroupPacing(() -> MILLISECOND, () -> 0, () -> false).hold()).isFalse();
  }

  @Test
  void aGroupIsHeldWhileTheFsyncIsInItsFirstPart() {
    assertThat(new GroupPacing(() -> MILLISECOND, () -> 10 * MILLISECOND, () -> false).hold())
        .isTrue();
  }

  @Test
  void nearTheEndOfTheFsyncTheGroupIsWrittenSoThatTheNextOneCoversIt() {
    assertThat(new GroupPacing(() -> 9 * MILLISECOND, () -> 10 * MILLISECOND, () -> false).hold())
        .isFalse();
  }

  @Test
  void anFsyncThatTakesLongerThanUsualHoldsNobody() {
    assertThat(new GroupPacing(() -> 400 * MILLISECOND, () -> MILLISECOND, () -> false).hold())
        .isFalse();
  }

  /** Either would wait for hours if the bound were not there. */
  @Test
  @Timeout(60)
  void howeverSlowTheDiskAGroupIsHeldForAMomentOnly() {
    var pacing = new GroupPacing(() -> 1, Duration.ofHours(9)::toNanos, () -> false);

    assertThat(pacing.hold()).isTrue();
    assertThat(pacing.hold()).isTrue();
  }

  /** The second look comes after the waker knows whom to wake. */
  @Test
  void theEndOfTheFsyncIsSeenAlsoWhenItComesBetweenTheLooks() throws InterruptedException {
    var looks = new AtomicInteger();
    var secondLook = new CountDownLatch(1);
    var pacing =
        new GroupPacing(
            () -> {
              if (looks.incrementAndGet() == 1) {
                return 1;
              }
              secondLook.countDown();
              return 0;
            },
            Duration.ofHours(9)::toNanos,
            () -> false);

    assertThat(pacing.hold()).isTrue();
    secondLook.await();
    assertThat(looks).hasValue(2);
  }

  /**
   * It ends when the thread has looked and is about to wait. Who is not woken waits 20 ms each
   * time; who is may be late now and then, when the machine is busy.
   */
  @Test
  void theEndOfTheFsyncIsSeenAlsoWhenItComesAfterTheLastLook() {
    var pacing = new AtomicReference<@Nullable GroupPacing>();
    BooleanSupplier lastLook =
        () -> {
          Objects.requireNonNull(pacing.get()).syncEnded();
          return false;
        };
    pacing.set(new GroupPacing(() -> 1, Duration.ofHours(9)::toNanos, lastLook));

    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      long began = System.nanoTime();
      assertThat(Objects.requireNonNull(pacing.get()).hold()).isTrue();
      shortest = Math.min(shortest, System.nanoTime() - began);
    }
    assertThat(Duration.ofNanos(shortest)).isLessThan(Duration.ofMillis(10));
  }
}
