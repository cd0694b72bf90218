package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.Sender.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar is told to stop while hooks come in. */
class StopIT {
  private static final int CLIENTS = 8;
  private static final int TERMINATED = 128 + 15;

  @TempDir Path home;

  @Test
  void aStopUnderLoadAnswersOrRefusesAndLosesNothing() throws Exception {
    try (var sink = new RecordingSink();
        var sender = new Sender(7)) {
      RunningHighwater.configure(
          home,
          """
          shutdown: {grace: 2s, attempts: 3s}
          sources:
            shop:
              type: none
              sinks:
                - {name: out, type: http, url: "%s", retry: {base: 200ms, max: 1s}}
          """
              .formatted(sink.url()));
      try (var highwater = RunningHighwater.start(home)) {
        var load = sender.load(highwater.hooksOf("shop"), CLIENTS);
        await().atMost(Duration.ofSeconds(20)).until(() -> load.answered() > 50);

        long told = System.nanoTime();
        highwater.terminate();

        await()
            .atMost(Duration.ofSeconds(2))
            .pollInterval(Duration.ofMillis(20))
            .until(() -> highwater.open("/readyz").status() == 503);
        assertThat(sender.send(highwater.hooksOf("shop")))
            .as("load balancers get their time")
            .isInstanceOf(Reply.Accepted.class);
        assertThat(highwater.operator("/livez").status()).isEqualTo(200);
        assertThat(highwater.hasEndedWithin(Duration.ofSeconds(20)))
            .as("ends by itself:\n%s", highwater.log())
            .isTrue();
        System.out.println("StopIT: ended after " + Duration.ofNanos(System.nanoTime() - told));
        assertThat(highwater.exitCode()).isEqualTo(TERMINATED);
        load.join();
      }
      System.out.println(
          "StopIT: " + sender.accepted() + " accepted; the others: " + otherReplies(sender));
      assertThat(sender.replies(Reply.Refused.class))
          .allSatisfy(
              refused -> {
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.code()).isEqualTo("draining");
                assertThat(refused.retryAfter()).isNotEmpty();
              });
      // Each client ends at a connection that is refused. None is left hanging, and none has sent a
      // request into a connection that was accepted and then closed without an answer.
      assertThat(sender.replies(Reply.None.class))
          .hasSize(CLIENTS)
          .noneMatch(none -> none.why().contains("Timeout"))
          .noneMatch(none -> none.why().contains("EOF"));
      try (var highwater = RunningHighwater.start(home)) {
        highwater.awaitEverythingDelivered(Duration.ofSeconds(30));
      }
      sender.check(sink);
    }
  }

  private static Object otherReplies(Sender sender) {
    return sender.replies().values().stream()
        .filter(reply -> !(reply instanceof Reply.Accepted))
        .collect(Collectors.groupingBy(Reply::toString, Collectors.counting()));
  }
}
