package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.Sender.Reply;
import dev.highwater.store.DiskFault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The disk under the jar is slow: answers are slow too, and that is all (G1, G2). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowDiskIT {
  private static final Duration SLOW = Duration.ofMillis(400);
  private static final Duration HELD = Duration.ofSeconds(4);
  private static final int CLIENTS = 16;

  @AutoClose private HighwaterOnBadDisk rig;
  private DiskFault disk;
  private Sender sender;
  private RunningHighwater highwater;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    rig = HighwaterOnBadDisk.start(home, 6);
    disk = rig.disk();
    sender = rig.sender();
    highwater = rig.highwater();
  }

  @AfterEach
  void heal() throws Exception {
    disk.heal();
  }

  @Test
  void slowFsyncsMakeSlowAnswersAndNoRefusals() throws Exception {
    Set<String> before = sender.replies().keySet();
    double syncs = highwater.meter("highwater_queue_syncs_total");
    disk.delay("fdatasync", ".log", SLOW.toMillis(), -1);

    var load = sender.load(rig.hooks(), CLIENTS);
    await().atMost(Duration.ofSeconds(60)).until(() -> load.answered() >= 10 * CLIENTS);
    load.stop();

    List<Reply> replies =
        sender.replies().entrySet().stream()
            .filter(reply -> !before.contains(reply.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    assertThat(replies)
        .hasSizeGreaterThanOrEqualTo(10 * CLIENTS)
        .as("accepted, and not before its fsync")
        .allMatch(
            reply ->
                reply instanceof Reply.Accepted accepted && accepted.after().compareTo(SLOW) > 0);
    assertThat(highwater.meter("highwater_queue_syncs_total") - syncs)
        .as("one fsync covers all that came while the last one ran")
        .isLessThan(replies.size() / 4.0);
    disk.heal();
    rig.checkWhatArrived(Duration.ofSeconds(20));
  }

  @Test
  void whileAnFsyncRunsHooksAreAppliedAndNobodySeesThem() throws Exception {
    long durable = highwater.queue("durableSeq");
    int arrived = rig.sink().deliveries().size();
    int struck = disk.struck().size();
    disk.delay("fdatasync", ".log", HELD.toMillis(), 1);

    List<Future<Reply>> answers = new ArrayList<>();
    answers.add(sender.async(() -> sender.send(rig.hooks())));
    await()
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(disk.struck()).hasSizeGreaterThan(struck));
    for (int i = 0; i < CLIENTS; i++) {
      answers.add(sender.async(() -> sender.send(rig.hooks())));
    }
    await()
        .atMost(HELD)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> highwater.queue("appliedSeq") == durable + 1 + CLIENTS);
    assertThat(highwater.queue("gap")).isEqualTo(1 + CLIENTS);
    assertThat(highwater.queue("durableSeq")).isEqualTo(durable);
    assertThat(highwater.operator("/readyz").status()).as("slow is not broken").isEqualTo(200);
    assertThat(rig.sink().deliveries()).hasSize(arrived);
    // Asked last, so all of the above was so while the fsync ran.
    assertThat(answers).noneMatch(Future::isDone);

    for (Future<Reply> answer : answers) {
      assertThat(answer.get(20, TimeUnit.SECONDS)).isInstanceOf(Reply.Accepted.class);
    }
    assertThat(highwater.queue("gap")).isZero();
    rig.checkWhatArrived(Duration.ofSeconds(20));
    assertThat(rig.sink().deliveries()).hasSize(arrived + 1 + CLIENTS);
  }

  /**
   * As long as it takes to be called broken: those that came before it wait, and are not lied to.
   */
  @Test
  void anFsyncOfHalfAMinuteRefusesWhatIsNewAndAnswersWhatWaits() throws Exception {
    Assumptions.assumeTrue(Endurance.isLong(), "for the long form");
    int arrived = rig.sink().deliveries().size();
    int struck = disk.struck().size();
    disk.delay("fdatasync", ".log", 28_000, 1);
    List<Future<Reply>> waiting = new ArrayList<>();
    waiting.add(sender.async(() -> sender.send(rig.hooks())));
    await()
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(disk.struck()).hasSizeGreaterThan(struck));
    for (int i = 0; i < 200; i++) {
      waiting.add(sender.async(() -> sender.send(rig.hooks())));
    }
    await()
        .atMost(Duration.ofSeconds(25))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> highwater.open("/readyz").status() == 503);
    assertThat(sender.send(rig.hooks()))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo("store_unavailable"));
    assertThat(highwater.open("/livez").status()).isEqualTo(200);
    assertThat(highwater.health("queue").get("details").get("fenced").asBoolean())
        .as("slow is not an error")
        .isFalse();
    assertThat(rig.sink().deliveries()).hasSize(arrived);
    // Asked last, so all of the above was so while the fsync ran.
    assertThat(waiting).noneMatch(Future::isDone);

    for (Future<Reply> answer : waiting) {
      assertThat(answer.get(40, TimeUnit.SECONDS)).isInstanceOf(Reply.Accepted.class);
    }
    highwater.awaitReady(Duration.ofSeconds(10));
    rig.checkWhatArrived(Duration.ofSeconds(20));
    assertThat(rig.sink().deliveries()).hasSize(arrived + 1 + 200);
  }
}
