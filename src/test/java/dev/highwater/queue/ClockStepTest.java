package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Answer;
import dev.highwater.hook.Hook;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The wall clock steps by an hour, back and forward, while the write path runs and over a restart.
 * What is stored is due at once, and a retry of seconds is due after seconds (G7).
 */
class ClockStepTest {
  private static final long RETRY_MILLIS = 5_000;
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofHours(-1),
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofHours(-1),
          Duration.ofHours(-1));

  @TempDir Path directory;

  @Test
  void whileItRuns() throws Exception {
    try (var rig = WritePathRig.fresh(directory)) {
      for (Duration step : STEPS) {
        isPrompt(rig);
        rig.clock.stepWall(step);
        isPrompt(rig);
      }
      stampsNeverGoBack(rig);
    }
  }

  @Test
  void overARestart() throws Exception {
    var rig = WritePathRig.fresh(directory);
    try {
      for (Duration step : STEPS) {
        isPrompt(rig);
        rig.kill(1_000);
        rig.clock.stepWall(step);
        rig = rig.restart();
        isPrompt(rig);
      }
      stampsNeverGoBack(rig);
    } finally {
      rig.close();
    }
  }

  private static void isPrompt(WritePathRig rig) throws Exception {
    assertThat(WritePathRig.get(rig.submit("body"))).isInstanceOf(Answer.Stored.class);
    long stamp = rig.stamps.now();
    Hook newest = rig.hooks().getLast();
    assertThat(newest.at()).as("it is due").isLessThanOrEqualTo(stamp);
    assertThat(rig.marks.read().visible(stamp)).as("and dispatch sees it").isEqualTo(stamp);

    long due = stamp + RETRY_MILLIS;
    pass(rig, Duration.ofMillis(2 * RETRY_MILLIS));
    assertThat(rig.stamps.now()).as("a retry").isGreaterThanOrEqualTo(due);
    // Nor does it come all at once: an hour is not taken for the seconds that have passed.
    assertThat(rig.stamps.now()).isLessThan(due + Duration.ofMinutes(5).toMillis());
  }

  private static void pass(WritePathRig rig, Duration time) {
    rig.clock.passMonotonic(time);
    rig.clock.stepWall(time);
  }

  private static void stampsNeverGoBack(WritePathRig rig) throws Exception {
    List<Long> stamps = rig.hooks().stream().map(Hook::at).toList();
    assertThat(stamps).hasSize(2 * STEPS.size()).isSorted();
  }
}
