package dev.highwater.sink.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.SourceRef;
import dev.highwater.sink.Attempts;
import dev.highwater.sink.EgressPolicy;
import dev.highwater.sink.Outcome;
import dev.highwater.sink.Sink;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a sink may connect to, and what name servers can do to it. */
class EgressTest {
  private static final Outcome REFUSED =
      new Outcome.Transient("address refused by the egress policy", null);

  private final Peer peer = new Peer((request, wire) -> wire.status(200));
  private final AtomicInteger lookups = new AtomicInteger();

  @AfterEach
  void close() {
    peer.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "localhost",
        "LOCALHOST",
        "localhost."
      })
  void noSpellingOfLoopbackGetsThroughWhereOnlyPublicAddressesMay(String host) throws Exception {
    // Some of them are no name to this JDK; that is as good.
    assertThat(deliver(host, EgressPolicy.PUBLIC_ONLY, InetAddress::getAllByName).detail())
        .isIn("address refused by the egress policy", "unknown host");
    assertThat(peer.accepted()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"169.254.169.254", "10.0.0.1", "[::ffff:10.0.0.1]", "[fd00:ec2::254]"})
  void privateAddressesAreRefusedBeforeAnythingIsSent(String host) throws Exception {
    assertThat(deliver(host, EgressPolicy.PUBLIC_ONLY, InetAddress::getAllByName))
        .isEqualTo(REFUSED);
  }

  @Test
  void theConfigurationFileMayNameLoopback() throws Exception {
    assertThat(deliver("127.0.0.1", EgressPolicy.ANY, InetAddress::getAllByName))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(deliver("localhost", EgressPolicy.ANY, host -> addresses("127.0.0.1")))
        .isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void aNameWithAPublicAndAPrivateAddressIsRefused() throws Exception {
    assertThat(
            deliver(
                "rebound.test",
                EgressPolicy.PUBLIC_ONLY,
                host -> addresses("1.1.1.1", "127.0.0.1")))
        .isEqualTo(REFUSED);
    assertThat(peer.accepted()).isZero();
  }

  @Test
  void whatWasCheckedIsWhatIsDialled() throws Exception {
    // A name server that shows a harmless address first and another one to whoever asks again.
    EgressPolicy onlyThePeer = address -> address.getHostAddress().equals("127.0.0.1");
    Outcome outcome =
        deliver(
            "rebound.test",
            onlyThePeer,
            host -> addresses(lookups.getAndIncrement() == 0 ? "127.0.0.1" : "127.0.0.2"));
    assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    assertThat(lookups).hasValue(1);
  }

  @Test
  void everyNewConnectionIsCheckedAgain() throws Exception {
    EgressPolicy onlyThePeer = address -> address.getHostAddress().equals("127.0.0.1");
    try (Sink sink =
        sink(
            "rebound.test",
            onlyThePeer,
            host -> addresses(lookups.getAndIncrement() == 0 ? "127.0.0.1" : "127.0.0.2"),
            "20s")) {
      assertThat(sink.deliver(Attempts.of(1, new byte[0]))).isInstanceOf(Outcome.Delivered.class);
      peer.stop();
      assertThat(sink.deliver(Attempts.of(2, new byte[0]))).isEqualTo(REFUSED);
    }
  }

  @Test
  void aRedirectIntoThePrivateNetworkIsNotFollowed() throws Exception {
    try (Peer redirecting =
        new Peer((request, wire) -> wire.status(302, "Location: " + peer.url()))) {
      try (Sink sink =
          factory(EgressPolicy.ANY, InetAddress::getAllByName)
              .create(SourceRef.of("s"), "main", Map.of("url", redirecting.url()))) {
        assertThat(sink.deliver(Attempts.of(1, new byte[0])))
            .isEqualTo(new Outcome.Transient("HTTP 302", null));
      }
    }
    assertThat(peer.accepted()).isZero();
  }

  @Test
  void aNameThatIsUnknownIsTransient() throws Exception {
    CheckedDns.Lookup nothing =
        host -> {
          throw new UnknownHostException(host);
        };
    assertThat(deliver("gone.test", EgressPolicy.ANY, nothing))
        .isEqualTo(new Outcome.Transient("unknown host", null));
  }

  @Test
  void aLookUpThatGotNoThreadIsMadeByTheNextAttempt() throws Exception {
    var refusals = new AtomicInteger(1);
    var dns =
        new CheckedDns(
            host -> addresses("127.0.0.1"),
            EgressPolicy.ANY,
            work ->
                new Thread(work) {
                  @Override
                  public void start() {
                    if (refusals.getAndDecrement() > 0) {
                      throw new OutOfMemoryError("unable to create native thread");
                    }
                    super.start();
                  }
                });
    assertThatThrownBy(() -> dns.resolve("a.test")).isInstanceOf(OutOfMemoryError.class);
    var next = new FutureTask<>(() -> dns.resolve("a.test"));
    Thread.startVirtualThread(next);
    assertThat(next.get(10, TimeUnit.SECONDS)).containsExactly(addresses("127.0.0.1"));
  }

  @Test
  void aNameServerThatHangsHoldsOneThreadAndNoAttempt() throws Exception {
    var over = new CountDownLatch(1);
    CheckedDns.Lookup hanging =
        host -> {
          lookups.incrementAndGet();
          try {
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return addresses("127.0.0.1");
        };
    try (Sink sink = sink("slow.test", EgressPolicy.ANY, hanging, "300ms")) {
      List<FutureTask<Outcome>> attempts =
          IntStream.range(0, 40)
              .mapToObj(n -> new FutureTask<>(() -> sink.deliver(Attempts.of(1, new byte[0]))))
              .toList();
      attempts.forEach(Thread::startVirtualThread);
      for (FutureTask<Outcome> attempt : attempts) {
        assertThat(attempt.get(10, TimeUnit.SECONDS))
            .isEqualTo(new Outcome.Transient("timed out after 300ms", null));
      }
      assertThat(lookups).hasValue(1);
      over.countDown();
    }
  }

  private Outcome deliver(String host, EgressPolicy egress, CheckedDns.Lookup lookup)
      throws InterruptedException {
    try (Sink sink = sink(host, egress, lookup, "20s")) {
      return sink.deliver(Attempts.of(1, "{}".getBytes(UTF_8)));
    }
  }

  private Sink sink(String host, EgressPolicy egress, CheckedDns.Lookup lookup, String timeout) {
    return factory(egress, lookup)
        .create(
            SourceRef.of("s"),
            "main",
            Map.of("url", "http://" + host + ":" + peer.port() + "/", "timeout", timeout));
  }

  private static HttpSinkFactory factory(EgressPolicy egress, CheckedDns.Lookup lookup) {
    return new HttpSinkFactory(
        InstantSource.system(),
        "Highwater/test",
        egress,
        lookup,
        DefaultClientTlsStrategy.createDefault(),
        Duration.ofSeconds(4));
  }

  private static InetAddress[] addresses(String... literals) {
    return IntStream.range(0, literals.length)
        .mapToObj(i -> InetAddress.ofLiteral(literals[i]))
        .toArray(InetAddress[]::new);
  }
}
