package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.test.context.TestPropertySource;

/** A slow client is cut off, and nobody else notices. */
@Timeout(60)
@TestPropertySource(
    properties = {
      "highwater.intake.header-timeout=1s",
      "highwater.intake.body-timeout=1500ms",
      "highwater.intake.read-timeout=1s",
      "server.tomcat.connection-timeout=2s"
    })
class SlowClientTest extends PublicPortFixture {
  private static final String HEAD =
      "POST /webhooks/open HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n";

  /** Sends a byte of a request at a time until it hears something. */
  private static Wire.Response drip(Wire wire, String bytes) throws IOException {
    for (int i = 0; !wire.hearsWithin(100); i++) {
      wire.send(bytes.substring(i % bytes.length(), i % bytes.length() + 1));
    }
    return wire.read();
  }

  @Test
  void aBodyThatDripsIsCutOffAtItsTimeLimit() throws IOException {
    long start = System.nanoTime();
    try (Wire wire = connect()) {
      assertProblem(drip(wire.send(HEAD), "x"), 400, "body_read_failed");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(1400), Duration.ofSeconds(10));
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void aBodyThatDripsInChunksIsCutOffAtItsTimeLimit() throws IOException {
    try (Wire wire = connect()) {
      wire.send("POST /webhooks/open HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
      assertProblem(drip(wire, "1\r\nx\r\n"), 400, "body_read_failed");
    }
  }

  @Test
  void aBodyThatDoesNotComeIsCutOffAtTheReadTimeout() throws IOException {
    try (Wire wire = connect()) {
      assertProblem(wire.send(HEAD).read(), 400, "body_read_failed");
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  @Test
  void headersThatDripEndTheConnection() throws IOException {
    try (Wire wire = connect()) {
      wire.send("POST /webhooks/open HTTP/1.1\r\nX-Slow: ");
      for (int i = 0; i < 300; i++) {
        if (wire.isClosedWithin(50)) {
          return;
        }
        wire.trySend("x");
      }
    }
    throw new AssertionError("the connection is still open after 15 s of headers");
  }

  @Test
  void aRefusedBodyThatDripsEndsTheConnection() throws IOException {
    try (Wire wire = connect()) {
      wire.send("POST /webhooks/none HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(404);
      for (int i = 0; i < 300; i++) {
        if (wire.isClosedWithin(50)) {
          return;
        }
        wire.trySend("x");
      }
    }
    throw new AssertionError("the connection is still open after 15 s of a refused body");
  }

  @Test
  void twoHundredOfThemDelayNobody() throws IOException {
    List<Wire> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        slow.add(connect().send(i % 2 == 0 ? HEAD + "x" : "POST /webhooks/op"));
      }
      soon(() -> assertThat(queue.openPermits.get()).isGreaterThan(50));
      long start = System.nanoTime();
      try (Wire wire = connect()) {
        for (int i = 0; i < 50; i++) {
          assertThat(wire.post("/webhooks/open", "{}").status()).isEqualTo(201);
        }
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
      assertThat(queue.submitted).hasSize(50);
      for (int i = 0; i < 200; i += 2) {
        assertProblem(slow.get(i).read(), 400, "body_read_failed");
      }
    } finally {
      for (Wire wire : slow) {
        wire.close();
      }
    }
  }
}
