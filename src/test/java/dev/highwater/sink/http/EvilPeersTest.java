package dev.highwater.sink.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.hook.SourceRef;
import dev.highwater.sink.Attempts;
import dev.highwater.sink.EgressPolicy;
import dev.highwater.sink.Outcome;
import dev.highwater.sink.Sink;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that are wrong in every way seen so far. None of them holds a thread or a connection. */
class EvilPeersTest {
  private static final Duration TIMEOUT = Duration.ofMillis(300);
  private static final Duration PATIENT = Duration.ofSeconds(20);

  /** No test takes longer, so none with the patient time-out has run into it. */
  private static final Duration SLACK = Duration.ofSeconds(5);

  private static final Outcome TIMED_OUT = new Outcome.Transient("timed out after 300ms", null);

  /** Opened when the test is over, for peers that wait. */
  private final CountDownLatch over = new CountDownLatch(1);

  private @Nullable Peer peer;
  private @Nullable Sink sink;

  @AfterEach
  void closeBoth() {
    over.countDown();
    if (sink != null) {
      sink.close();
    }
    if (peer != null) {
      peer.close();
    }
  }

  @Test
  void oneThatTakesTheRequestAndSaysNothing() {
    assertThat(deliverTo((request, wire) -> wire.awaitTheEnd(), TIMEOUT)).isEqualTo(TIMED_OUT);
    nothingIsLeft();
  }

  @Test
  void oneThatNeverReadsTheBody() {
    Peer deaf =
        new Peer((request, wire) -> {}) {
          @Override
          void serve(Socket socket) {
            waitUntilOver();
          }
        };
    peer = deaf;
    Sink target = sink(deaf, TIMEOUT);
    assertThat(deliver(target, new byte[32 * 1024 * 1024])).isEqualTo(TIMED_OUT);
  }

  @Test
  void oneThatSendsItsHeadByteByByte() {
    assertThat(
            deliverTo(
                (request, wire) -> dribble(wire, "HTTP/1.1 200 OK\r\n" + "X".repeat(999)), TIMEOUT))
        .isEqualTo(TIMED_OUT);
    nothingIsLeft();
  }

  @Test
  void oneThatSendsItsBodyByteByByte() {
    assertThat(
            deliverTo(
                (request, wire) -> {
                  wire.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
                  dribble(wire, "x".repeat(1000));
                },
                TIMEOUT))
        .isEqualTo(TIMED_OUT);
    nothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-A: b\r\n", "Transfer-Encoding: chunked\r\n"})
  void oneThatAnswersForEverIsCutOffAt64Kilobytes(String framing) {
    var sent = new AtomicLong();
    Outcome outcome =
        deliverTo(
            (request, wire) -> {
              wire.write("HTTP/1.1 200 OK\r\n" + framing + "\r\n");
              String piece =
                  framing.contains("chunked")
                      ? "400\r\n" + "x".repeat(1024) + "\r\n"
                      : "x".repeat(1024);
              while (true) {
                wire.write(piece);
                sent.addAndGet(1024);
              }
            });
    assertThat(outcome).isEqualTo(new Outcome.Transient("the answer has no end", null));
    nothingIsLeft();
    // What the peer could push into the buffers of two kernels comes on top.
    assertThat(sent.get()).isLessThan(16 * 1024 * 1024);
  }

  @Test
  void aRefusalWithoutEndIsStillARefusal() {
    assertThat(
            deliverTo(
                (request, wire) -> {
                  wire.write("HTTP/1.1 410 Gone\r\n\r\n");
                  while (true) {
                    wire.write("x".repeat(1024));
                  }
                }))
        .isEqualTo(new Outcome.Permanent("HTTP 410"));
    nothingIsLeft();
  }

  @Test
  void aLongAnswerThatSaysHowLongItIsCountsByItsStatus() {
    assertThat(
            deliverTo(
                (request, wire) -> {
                  wire.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
                  wire.write("x".repeat(1_000_000));
                }))
        .isEqualTo(new Outcome.Delivered("HTTP 200"));
    nothingIsLeft();
  }

  @Test
  void anAnswerOfExactly64KilobytesIsRead() {
    assertThat(
            deliverTo(
                (request, wire) ->
                    wire.write(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10000\r\n"
                            + "x".repeat(65_536)
                            + "\r\n0\r\n\r\n")))
        .isEqualTo(new Outcome.Delivered("HTTP 200"));
  }

  @Test
  void headersForEver() {
    assertThat(
            deliverTo(
                (request, wire) -> {
                  wire.write("HTTP/1.1 200 OK\r\n");
                  while (true) {
                    wire.write("X-A: b\r\n");
                  }
                }))
        .isEqualTo(new Outcome.Transient("the head of the answer is too large", null));
    nothingIsLeft();
  }

  @Test
  void oneHeaderForEver() {
    assertThat(
            deliverTo(
                (request, wire) -> {
                  wire.write("HTTP/1.1 200 OK\r\nX-A: ");
                  while (true) {
                    wire.write("b".repeat(1000));
                  }
                }))
        .isEqualTo(new Outcome.Transient("the head of the answer is too large", null));
    nothingIsLeft();
  }

  @Test
  void interimAnswersForEver() {
    assertThat(
            deliverTo(
                (request, wire) -> {
                  while (true) {
                    wire.write("HTTP/1.1 103 Early Hints\r\n\r\n");
                  }
                }))
        .isEqualTo(new Outcome.Transient("not a valid HTTP answer", null));
    nothingIsLeft();
  }

  @Test
  void aFewInterimAnswersAreFine() {
    assertThat(
            deliverTo(
                (request, wire) -> {
                  wire.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n");
                  wire.status(200);
                }))
        .isInstanceOf(Outcome.Delivered.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.9\r\n",
        "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "{}\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 101 Upgrade\r\n\r\n",
        "\u0000\u0001\u0002\u0003\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 99 Low\r\n\r\n",
        "HTTP/1.1 1000 High\r\n\r\n"
      })
  void junkIsNoConfirmation(String junk) {
    assertThat(
            deliverTo(
                (request, wire) -> {
                  wire.write(junk);
                  wire.close();
                }))
        .isInstanceOf(Outcome.Transient.class)
        .extracting(Outcome::detail)
        .asString()
        .doesNotContain("OpenSSH", "colon");
    nothingIsLeft();
  }

  @Test
  void oneThatClosesInsteadOfAnswering() {
    assertThat(deliverTo((request, wire) -> wire.close()))
        .isEqualTo(new Outcome.Transient("closed without an answer", null));
    assertThat(requests()).isEqualTo(1);
    nothingIsLeft();
  }

  @Test
  void oneThatResets() {
    assertThat(deliverTo((request, wire) -> wire.reset()))
        .isEqualTo(new Outcome.Transient("connection lost", null));
    assertThat(requests()).isEqualTo(1);
    nothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n5\r\nabc"})
  void oneThatBreaksOffInTheMiddleOfItsAnswer(String rest) {
    assertThat(
            deliverTo(
                (request, wire) -> {
                  wire.write("HTTP/1.1 200 OK\r\n" + rest);
                  wire.close();
                }))
        .isEqualTo(new Outcome.Transient("the answer broke off", null));
    nothingIsLeft();
  }

  @Test
  void oneThatAnswersBeforeItHasReadAnything() {
    Peer hasty =
        new Peer((request, wire) -> {}) {
          @Override
          void serve(Socket socket) throws IOException {
            new Wire(socket, socket.getOutputStream()).status(200);
            waitUntilOver();
          }
        };
    peer = hasty;
    assertThat(deliver(sink(hasty, TIMEOUT), "{}".getBytes(UTF_8))).isNotNull();
  }

  @Test
  void aKeptConnectionThatWasClosedSinceIsNoFailure() {
    keptThen(Peer.Wire::close);
  }

  @Test
  void aKeptConnectionThatWasResetSinceIsNoFailure() {
    keptThen(Peer.Wire::reset);
  }

  @Test
  void aKeptConnectionThatIsHalfClosedIsNoFailure() {
    keptThen(wire -> wire.socket().shutdownOutput());
  }

  @Test
  void aLastWordOnAKeptConnectionIsNotTakenForTheNextAnswer() {
    keptThen(wire -> wire.write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"));
  }

  @Test
  void aSecondAnswerThatNobodyAskedForConfirmsNothing() {
    var bodies = new AtomicLong();
    Outcome second =
        twice(
            (request, wire) -> {
              if (bodies.incrementAndGet() == 1) {
                wire.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                wire.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
              } else {
                wire.status(503);
              }
            });
    assertThat(second).isEqualTo(new Outcome.Transient("HTTP 503", null));
  }

  private interface Last {
    void word(Peer.Wire wire) throws IOException;
  }

  /** The first hook is answered and the connection kept; then comes the last word. */
  private void keptThen(Last last) {
    var answered = new AtomicLong();
    Outcome second =
        twice(
            (request, wire) -> {
              wire.status(200);
              if (answered.incrementAndGet() == 1) {
                last.word(wire);
              }
            });
    assertThat(second).isEqualTo(new Outcome.Delivered("HTTP 200"));
    assertThat(requests()).isEqualTo(2);
  }

  /** The outcome of the second hook, sent when the peer's script for the first one has ended. */
  private Outcome twice(Peer.Script script) {
    var ended = new CountDownLatch(1);
    Peer kept =
        new Peer(
            (request, wire) -> {
              try {
                script.answer(request, wire);
              } finally {
                ended.countDown();
              }
            });
    peer = kept;
    Sink target = sink(kept, PATIENT);
    assertThat(deliver(target, "{}".getBytes(UTF_8))).isInstanceOf(Outcome.Delivered.class);
    try {
      assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return deliver(target, "{}".getBytes(UTF_8));
  }

  private Outcome deliverTo(Peer.Script script) {
    return deliverTo(script, PATIENT);
  }

  private Outcome deliverTo(Peer.Script script, Duration timeout) {
    Peer evil = new Peer(script);
    peer = evil;
    return deliver(sink(evil, timeout), "{}".getBytes(UTF_8));
  }

  private Sink sink(Peer target, Duration timeout) {
    Sink made =
        new HttpSinkFactory(InstantSource.system(), "Highwater/test", EgressPolicy.ANY)
            .create(
                SourceRef.of("stripe"),
                "main",
                Map.of("url", target.url(), "timeout", timeout.toMillis() + "ms"));
    sink = made;
    return made;
  }

  private static Outcome deliver(Sink target, byte[] body) {
    long start = System.nanoTime();
    try {
      return target.deliver(Attempts.of(1, body));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TIMEOUT.plus(SLACK));
    }
  }

  private int requests() {
    return requireNonNull(peer).requests().size();
  }

  /** The peer sees that we have left. */
  private void nothingIsLeft() {
    Peer left = requireNonNull(peer);
    await().atMost(Duration.ofSeconds(5)).until(() -> left.connections() == 0);
  }

  private void dribble(Peer.Wire wire, String text) throws Exception {
    for (int i = 0; i < text.length() && !over.await(20, TimeUnit.MILLISECONDS); i++) {
      wire.write(text.substring(i, i + 1));
    }
  }

  private void waitUntilOver() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
