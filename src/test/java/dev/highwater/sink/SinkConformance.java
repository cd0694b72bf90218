package dev.highwater.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every transport must hold. A transport extends this and brings the real other side of it; no
 * test may be left out.
 */
public abstract class SinkConformance {
  /** Long enough for a machine that is busy with other things. */
  private static final Duration PATIENT = Duration.ofSeconds(30);

  /** For what is to fail by the time-out; and what an attempt may take on top of it. */
  private static final Duration IMPATIENT = Duration.ofMillis(300);

  private static final Duration SLACK = Duration.ofSeconds(3);

  private Receiver receiver;
  private Sink sink;

  /** The other side: a server, a broker. Up when it is made. */
  public interface Receiver extends AutoCloseable {
    /** For a sink that delivers here, with this time-out of an attempt. */
    Map<String, String> settings(Duration timeout);

    /** What it has confirmed, in the order of arrival. */
    List<Received> confirmed();

    /** How many connections it has open. */
    int connections();

    /** From now on. */
    void behave(Behaviour behaviour);

    /** Down, like a killed process; kept connections break. */
    void stop();

    /** Up again, at the same address. */
    void start();

    @Override
    void close();
  }

  /** What the other side does with a hook. */
  public enum Behaviour {
    CONFIRM,
    /** Confirms after half a second. */
    CONFIRM_SLOWLY,
    REFUSE,
    /** Takes the whole of it and never says anything. */
    NEVER_ANSWER
  }

  /** What came through. */
  public record Received(HookId id, byte[] body) {}

  protected abstract SinkFactory factory();

  protected abstract Receiver receiver() throws Exception;

  @BeforeEach
  void open() throws Exception {
    receiver = receiver();
    sink = sink(PATIENT);
  }

  @AfterEach
  void closeBoth() {
    sink.close();
    receiver.close();
  }

  @Test
  void deliveredMeansThatTheOtherSideHasIt() throws Exception {
    assertThat(deliver(1)).isInstanceOf(Outcome.Delivered.class);
    assertThat(receiver.confirmed()).extracting(Received::id).containsExactly(Attempts.id(1));
  }

  @Test
  void whatIsRefusedIsNotDelivered() throws Exception {
    receiver.behave(Behaviour.REFUSE);
    assertThat(deliver(1)).isNotInstanceOf(Outcome.Delivered.class);
    assertThat(receiver.confirmed()).isEmpty();
  }

  @Test
  void opensNothingBeforeTheFirstAttempt() {
    receiver.stop();
    try (Sink unused = sink(PATIENT)) {
      assertThat(unused).isNotNull();
      assertThat(receiver.connections()).isZero();
    }
  }

  @Test
  void anUnreachableOtherSideIsTransientAndInTime() {
    receiver.stop();
    assertThat(deliverImpatiently(1)).isInstanceOf(Outcome.Transient.class);
  }

  @Test
  void aSlowOtherSideDelivers() throws Exception {
    receiver.behave(Behaviour.CONFIRM_SLOWLY);
    assertThat(deliver(1)).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void oneThatNeverAnswersIsTransientAndInTime() {
    receiver.behave(Behaviour.NEVER_ANSWER);
    assertThat(deliverImpatiently(1)).isInstanceOf(Outcome.Transient.class);
  }

  @Test
  void oneThatNeverAnsweredIsGivenAnotherChance() throws Exception {
    sink.close();
    sink = sink(Duration.ofSeconds(3));
    receiver.behave(Behaviour.NEVER_ANSWER);
    assertThat(deliver(1)).isInstanceOf(Outcome.Transient.class);
    receiver.behave(Behaviour.CONFIRM);
    assertThat(deliver(2)).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void deliversAgainAfterARestartOfTheOtherSide() throws Exception {
    assertThat(deliver(1)).isInstanceOf(Outcome.Delivered.class);
    receiver.stop();
    assertThat(deliver(2)).isInstanceOf(Outcome.Transient.class);
    receiver.start();
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(deliver(2)).isInstanceOf(Outcome.Delivered.class));
    assertThat(receiver.confirmed())
        .extracting(Received::id)
        .containsExactly(Attempts.id(1), Attempts.id(2));
  }

  @Test
  void closingWhileIdleLeavesNoConnection() throws Exception {
    deliver(1);
    sink.close();
    await()
        .atMost(Duration.ofSeconds(5))
        .untilAsserted(() -> assertThat(receiver.connections()).isZero());
  }

  @Test
  void closingTwiceIsLikeClosingOnce() throws Exception {
    deliver(1);
    sink.close();
    sink.close();
  }

  @Test
  void fiftyAttemptsAtOnceAllArriveOnce() throws Exception {
    List<FutureTask<Outcome>> attempts =
        IntStream.rangeClosed(1, 50).mapToObj(seq -> new FutureTask<>(() -> deliver(seq))).toList();
    attempts.forEach(Thread::startVirtualThread);
    for (FutureTask<Outcome> attempt : attempts) {
      assertThat(attempt.get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Delivered.class);
    }
    assertThat(receiver.confirmed())
        .extracting(Received::id)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 50).mapToObj(Attempts::id).toList());
  }

  static Stream<Arguments> bodies() {
    byte[] every = new byte[256];
    for (int i = 0; i < every.length; i++) {
      every[i] = (byte) i;
    }
    byte[] large = new byte[8 * 1024 * 1024];
    new Random(7).nextBytes(large);
    return Stream.of(
        Arguments.of("empty", new byte[0]),
        Arguments.of("every byte", every),
        Arguments.of("ends in CR LF", "{\"a\":1}\r\n".getBytes(UTF_8)),
        Arguments.of("begins in CR LF", "\r\n\r\nGET / HTTP/1.1\r\n\r\n".getBytes(UTF_8)),
        Arguments.of("not UTF-8", new byte[] {(byte) 0xC3, (byte) 0x28, (byte) 0xFF}),
        Arguments.of("8 MB", large));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void theBodyArrivesByteForByte(String name, byte[] body) throws Exception {
    byte[] before = body.clone();
    assertThat(sink.deliver(Attempts.of(1, body))).isInstanceOf(Outcome.Delivered.class);
    assertThat(receiver.confirmed()).hasSize(1);
    assertThat(receiver.confirmed().getFirst().body()).isEqualTo(before);
    assertThat(body).isEqualTo(before);
  }

  @Test
  void anInterruptedAttemptEndsAtOnce() {
    receiver.behave(Behaviour.NEVER_ANSWER);
    var attempt = new FutureTask<>(() -> deliver(1));
    Thread thread = Thread.startVirtualThread(attempt);
    await().atMost(Duration.ofSeconds(5)).until(() -> receiver.connections() > 0);
    long start = System.nanoTime();
    thread.interrupt();
    assertThatThrownBy(() -> attempt.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SLACK);
  }

  @Test
  void aSettingThatDoesNotExistIsRefusedByName() {
    Map<String, String> settings = new HashMap<>(receiver.settings(PATIENT));
    settings.put("no-such-setting", "canary-value");
    assertThatThrownBy(() -> factory().create(new SourceRef("acme", "x"), "main", settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no-such-setting")
        .message()
        .doesNotContain("canary-value");
  }

  private Outcome deliver(int seq) throws InterruptedException {
    return sink.deliver(Attempts.of(seq, ("{\"n\":" + seq + "}").getBytes(UTF_8)));
  }

  /** A sink that waits for {@link #IMPATIENT} tries, and keeps to it. */
  private Outcome deliverImpatiently(int seq) {
    try (Sink impatient = sink(IMPATIENT)) {
      long start = System.nanoTime();
      Outcome outcome = impatient.deliver(Attempts.of(seq, "{}".getBytes(UTF_8)));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(IMPATIENT.plus(SLACK));
      return outcome;
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts", e);
    }
  }

  private Sink sink(Duration timeout) {
    return factory().create(new SourceRef("acme", "stripe"), "main", receiver.settings(timeout));
  }
}
