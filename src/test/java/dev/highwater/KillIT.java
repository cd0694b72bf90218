package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process is killed under load, again and again, and started on what it left. {@code
 * -Dkill.rounds=} says how often, {@code -Dkill.seed=} which moments.
 */
class KillIT {
  private static final int CLIENTS = 8;

  @TempDir Path home;

  @Test
  void whatWasAnsweredIsDeliveredWheneverTheProcessIsKilled() throws Exception {
    int rounds = Integer.getInteger("kill.rounds", Endurance.rounds(6, 40));
    long seed = Long.getLong("kill.seed", new SplittableRandom().nextLong());
    System.out.println("KillIT: " + rounds + " rounds, -Dkill.seed=" + seed);
    var random = new SplittableRandom(seed);
    try (var sink = new RecordingSink();
        var sender = new Sender(seed)) {
      RunningHighwater.configure(
          home,
          """
          sources:
            load:
              type: none
              sinks:
                - {name: out, type: http, url: "%s", retry: {base: 200ms, max: 1s}}
          """
              .formatted(sink.url()));
      long lastSeq = 0;
      for (int round = 1; round <= rounds; round++) {
        if (round % 3 == 0) {
          killWhileItStarts(random.nextInt(500, 6_000));
        }
        lastSeq = killUnderLoad(sender, lastSeq, random.nextInt(100, 2_500));
      }
      try (var highwater = RunningHighwater.start(home)) {
        assertThat(highwater.queue("appliedSeq")).isGreaterThanOrEqualTo(lastSeq);
        highwater.awaitEverythingDelivered(Duration.ofSeconds(90));
      }
      sender.check(sink);
      assertThat(sender.replies(Sender.Reply.Refused.class)).isEmpty();
      System.out.println(
          "KillIT: %d accepted, %d without an answer, %d deliveries"
              .formatted(
                  sender.accepted(),
                  sender.replies(Sender.Reply.None.class).size(),
                  sink.deliveries().size()));
    }
  }

  /** The start writes too: it settles what the last run left. */
  private void killWhileItStarts(int millis) throws Exception {
    try (var highwater = RunningHighwater.launch(home, Map.of())) {
      assertThat(highwater.hasEndedWithin(Duration.ofMillis(millis)))
          .as("ended by itself:\n%s", highwater.log())
          .isFalse();
      highwater.kill();
    }
  }

  /**
   * Every hook has a seq of its own, so a seq that were given twice would show here, or as a hook
   * that is missing.
   *
   * @return a seq that has been used
   */
  private long killUnderLoad(Sender sender, long lastSeq, int millis) throws Exception {
    try (var highwater = RunningHighwater.start(home)) {
      assertThat(highwater.queue("appliedSeq"))
          .as("seqs go on where they were")
          .isGreaterThanOrEqualTo(Math.max(lastSeq, sender.accepted()));
      var load = sender.load(highwater.hooksOf("load"), CLIENTS);
      assertThat(highwater.hasEndedWithin(Duration.ofMillis(millis))).isFalse();
      long used = highwater.queue("durableSeq");
      highwater.kill();
      load.join();
      return used;
    }
  }
}
