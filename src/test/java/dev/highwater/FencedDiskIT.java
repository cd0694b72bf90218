package dev.highwater;

import static dev.highwater.store.DiskFault.EIO;
import static dev.highwater.store.DiskFault.ENOSPC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.Sender.Reply;
import dev.highwater.store.DiskFault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The disk fails under the jar: who is answered an error can send again and has it stored once (G5,
 * G6). One process goes through all of it, and each test leaves it healed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FencedDiskIT {
  private static final Duration RECOVERY = Duration.ofSeconds(10);
  private static final int AT_ONCE = 24;
  private static final String LOG = ".log";

  @AutoClose private HighwaterOnBadDisk rig;
  private DiskFault disk;
  private Sender sender;
  private RunningHighwater highwater;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    rig = HighwaterOnBadDisk.start(home, 5);
    disk = rig.disk();
    sender = rig.sender();
    highwater = rig.highwater();
  }

  @AfterEach
  void heal() throws Exception {
    disk.heal();
    highwater.awaitReady(RECOVERY);
  }

  @ParameterizedTest(name = "{0} fails once, errno {1}")
  @CsvSource({"fdatasync, " + EIO, "fdatasync, " + ENOSPC, "write, " + EIO, "write, " + ENOSPC})
  void aRefusedHookIsStoredOnceByItsRetry(String call, int errno) throws Exception {
    int struck = disk.struck().size();
    long reopens = reopens();
    disk.fail(call, LOG, errno, 1);

    Map<String, Reply> first = sender.sendAtOnce(rig.hooks(), AT_ONCE);

    assertThat(disk.struck()).as("the failure was met").hasSizeGreaterThan(struck);
    List<String> refused = refusedOf(first);
    assertThat(refused).isNotEmpty();
    List<String> retried = refused.subList(0, (refused.size() + 1) / 2);
    for (String id : retried) {
      Reply.Accepted accepted = sendUntilAccepted(id);
      assertThat(accepted.status()).as("nothing was left of the first try").isEqualTo("accepted");
    }
    assertThat(sender.send(rig.hooks(), retried.getFirst(), 1_000))
        .isInstanceOfSatisfying(
            Reply.Accepted.class,
            again -> assertThat(again.status()).as("the retry is there").isEqualTo("duplicate"));
    rig.checkWhatArrived(RECOVERY);
    assertThat(reopens()).as("no sync is believed after a failed one").isGreaterThan(reopens);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "fdatasync .log errno 5 -1",
        "fdatasync /db/ errno 28 -1;write /db/ errno 28 -1;pwrite /db/ errno 28 -1"
      })
  void whileTheDiskIsBrokenItAnswersAndWhenItIsWellItTakesHooksByItself(String rules)
      throws Exception {
    disk.rules(rules.split(";", -1));

    Map<String, Reply> first = sender.sendAtOnce(rig.hooks(), AT_ONCE);

    assertThat(refusedOf(first)).hasSize(AT_ONCE);
    assertThat(highwater.open("/readyz").status()).isEqualTo(503);
    await()
        .during(Duration.ofSeconds(3))
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(this::isFencedAndAnswers);

    disk.heal();
    long healed = System.nanoTime();
    sendUntilAccepted(sender.newId());
    System.out.println(
        "FencedDiskIT: well again after " + Duration.ofNanos(System.nanoTime() - healed));
    highwater.awaitReady(RECOVERY);
    assertThat(highwater.health("queue").get("details").get("fenced").asBoolean()).isFalse();
    rig.checkWhatArrived(RECOVERY);
  }

  @Test
  void whatWasRefusedBeforeAKillIsNotDeliveredAfterIt() throws Exception {
    disk.fail("fdatasync", LOG, EIO, -1);
    List<String> refused = refusedOf(sender.sendAtOnce(rig.hooks(), AT_ONCE));
    assertThat(refused).hasSize(AT_ONCE);

    highwater.kill();
    disk.heal();
    highwater = rig.startAgain();

    assertThat(highwater.log()).contains("The last run ended inside a fence");
    highwater.awaitEverythingDelivered(RECOVERY);
    for (String id : refused.subList(0, AT_ONCE / 2)) {
      assertThat(sendUntilAccepted(id).status()).isEqualTo("accepted");
    }
    rig.checkWhatArrived(RECOVERY);
  }

  private long reopens() throws IOException {
    return highwater.health("store").get("details").get("reopens").asLong();
  }

  private void isFencedAndAnswers() throws IOException {
    assertThat(sender.send(rig.hooks()))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(503);
              assertThat(refused.code()).isEqualTo("store_unavailable");
              assertThat(refused.after()).isLessThan(Duration.ofSeconds(2));
            });
    JsonNode queue = highwater.health("queue");
    assertThat(queue.get("status").asString()).isEqualTo("OUT_OF_SERVICE");
    assertThat(queue.get("details").get("fenced").asBoolean()).isTrue();
    assertThat(queue.get("details").get("reason").asString()).isNotBlank();
    assertThat(queue.get("details").get("since").asString()).isNotBlank();
    assertThat(highwater.operator("/actuator/health").status()).isEqualTo(503);
    assertThat(highwater.open("/readyz").status()).isEqualTo(503);
    assertThat(highwater.operator("/readyz").status()).isEqualTo(503);
    assertThat(highwater.open("/livez").status()).isEqualTo(200);
    assertThat(highwater.operator("/livez").status()).isEqualTo(200);
  }

  /** The ids of those that were refused; there must be no other error and no silence. */
  private static List<String> refusedOf(Map<String, Reply> replies) {
    List<String> ids = new ArrayList<>();
    replies.forEach(
        (id, reply) -> {
          switch (reply) {
            case Reply.Accepted accepted ->
                assertThat(accepted.status()).as(id).isEqualTo("accepted");
            case Reply.Refused refused -> {
              assertThat(refused.status()).as(id).isEqualTo(503);
              assertThat(refused.code()).as(id).isEqualTo("store_unavailable");
              assertThat(refused.retryAfter()).as(id).isEqualTo("1");
              ids.add(id);
            }
            case Reply.None none -> throw new AssertionError(id + " was not answered: " + none);
          }
        });
    return ids;
  }

  private Reply.Accepted sendUntilAccepted(String id) {
    var number = new AtomicInteger(1);
    return await()
        .atMost(RECOVERY)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                sender.send(rig.hooks(), id, number.incrementAndGet())
                        instanceof Reply.Accepted accepted
                    ? accepted
                    : null,
            Objects::nonNull);
  }
}
