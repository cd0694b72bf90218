package dev.highwater.sink.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.hook.Headers;
import dev.highwater.hook.SourceRef;
import dev.highwater.sink.Attempt;
import dev.highwater.sink.Attempts;
import dev.highwater.sink.EgressPolicy;
import dev.highwater.sink.Outcome;
import dev.highwater.sink.Sink;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes out, and what each answer means. */
class HttpSinkTest {
  /** 2026-05-06T07:08:09.100Z. */
  private static final Instant NOW = Instant.ofEpochMilli(1_778_051_289_100L);

  private static final byte[] BODY = "{\"a\":\"\u00e4\"}\r\n".getBytes(UTF_8);

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  @Test
  void thisAndNothingElseStandsOnTheWire() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    Attempt first =
        Attempts.of(
            1,
            BODY,
            Headers.of(
                "X-Event",
                "one",
                "CONTENT-TYPE",
                "application/json",
                "X-Event",
                "two",
                "Content-Encoding",
                "gzip",
                "Stripe-Signature",
                "t=1,v1=abc"));
    sink(peer, "headers.X-Key", "static", "secrets[0]", "s").deliver(new Attempt(first.hook(), 7));

    Peer.Request request = peer.requests().getFirst();
    assertThat(request.line()).isEqualTo("POST /hooks HTTP/1.1");
    assertThat(request.body()).isEqualTo(BODY);
    assertThat(request.headers())
        .containsExactlyInAnyOrder(
            "X-Event: one",
            "CONTENT-TYPE: application/json",
            "X-Event: two",
            "Content-Encoding: gzip",
            "Stripe-Signature: t=1,v1=abc",
            "user-agent: Highwater/test",
            "X-Key: static",
            "webhook-id: " + Attempts.id(1),
            "webhook-timestamp: 1778051289",
            "webhook-signature: " + signature("s".getBytes(UTF_8), request),
            "highwater-source: stripe",
            "highwater-tenant: acme",
            "highwater-attempt: 7",
            "highwater-verified: verified",
            "highwater-received-at: 2026-01-02T03:04:05.678Z",
            "Content-Length: " + BODY.length,
            "Host: 127.0.0.1:" + peer.port(),
            "Connection: keep-alive");
  }

  @Test
  void theQueryOfTheUrlIsKept() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    sink(Map.of("url", peer.url() + "/a%2Fb?token=x%20y&z")).deliver(attempt());
    assertThat(peer.requests().getFirst().line())
        .isEqualTo("POST /hooks/a%2Fb?token=x%20y&z HTTP/1.1");
  }

  @Test
  void whatBelongsToTheConnectionOrToUsIsNotForwarded() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    String[] dropped = {
      "Host",
      "Content-Length",
      "Transfer-Encoding",
      "TE",
      "Trailer",
      "Keep-Alive",
      "Upgrade",
      "Expect",
      "Authorization",
      "Cookie",
      "Proxy-Authorization",
      "Proxy-Connection",
      "Forwarded",
      "X-Forwarded-For",
      "X-Forwarded-Proto",
      "X-Real-IP",
      "Via",
      "Accept-Encoding",
      "User-Agent",
      "Webhook-Id",
      "webhook-signature",
      "Webhook-Anything",
      "Highwater-Verified",
      "HIGHWATER-REPLAY-ID",
      "X-Hop",
      "HTTP2-Settings"
    };
    List<String> pairs = new ArrayList<>(List.of("Connection", "close, x-hop", "X-Kept", "kept"));
    for (String name : dropped) {
      pairs.add(name);
      pairs.add("canary");
    }
    sink(peer).deliver(Attempts.of(1, BODY, Headers.of(pairs.toArray(String[]::new))));
    Peer.Request request = peer.requests().getFirst();
    assertThat(request.headers()).contains("X-Kept: kept", "Connection: keep-alive");
    assertThat(request.headers().toString()).doesNotContain("canary");
    assertThat(request.headers("webhook-signature")).isEmpty();
  }

  @Test
  void aLineBreakInAReceivedHeaderSplitsNothing() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    Headers headers =
        Headers.of("X-A", "a\r\ncanary: b", "X-B\r\ncanary", "b", "X-C", "c\u0000", "", "d");
    Outcome outcome = sink(peer).deliver(Attempts.of(1, BODY, headers));
    assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    assertThat(peer.requests().getFirst().headers().toString()).doesNotContain("canary", "X-C");
  }

  @Test
  void aConfiguredHeaderWinsOverTheProviders() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    sink(peer, "headers.x-key", "ours", "headers.authorization", "Bearer ours")
        .deliver(Attempts.of(1, BODY, Headers.of("X-Key", "theirs", "Authorization", "theirs")));
    assertThat(peer.requests().getFirst().header("x-key")).isEqualTo("ours");
    assertThat(peer.requests().getFirst().header("authorization")).isEqualTo("Bearer ours");
  }

  @Test
  void aConfiguredHeaderWinsOverEachOneOfThatNameOfTheProvider() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    Headers theirs = Headers.of("X-Key", "theirs", "x-key", "theirs too", "X-KEY", "and this");
    sink(peer, "headers.x-key", "ours").deliver(Attempts.of(1, BODY, theirs));
    assertThat(peer.requests().getFirst().headers())
        .filteredOn(line -> line.regionMatches(true, 0, "x-key:", 0, 6))
        .containsExactly("x-key: ours");
  }

  @Test
  void everyListedSecretSignsNewestFirst() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    byte[] key = "0123456789abcdef01234567".getBytes(UTF_8);
    sink(
            peer,
            "secrets[0]",
            "whsec_" + Base64.getEncoder().encodeToString(key),
            "secrets[1]",
            "the old one")
        .deliver(attempt());
    Peer.Request request = peer.requests().getFirst();
    assertThat(request.header("webhook-signature"))
        .isEqualTo(
            signature(key, request) + " " + signature("the old one".getBytes(UTF_8), request));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void everyTwoHundredIsDelivered(int status) throws Exception {
    Peer peer = peer((request, wire) -> answer(wire, status));
    assertThat(sink(peer).deliver(attempt())).isEqualTo(new Outcome.Delivered("HTTP " + status));
  }

  @ParameterizedTest
  @ValueSource(ints = {410, 413, 414, 415, 431})
  void whatNoRepetitionChangesIsPermanent(int status) throws Exception {
    Peer peer = peer((request, wire) -> answer(wire, status));
    assertThat(sink(peer).deliver(attempt())).isEqualTo(new Outcome.Permanent("HTTP " + status));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 407, 408, 409, 422, 425, 429,
        451, 499, 500, 502, 503, 504, 599
      })
  void everythingElseIsTransientAndSentOnce(int status) throws Exception {
    Peer peer =
        peer(
            (request, wire) ->
                answer(
                    wire,
                    status,
                    "Location: http://127.0.0.1:1/elsewhere",
                    "WWW-Authenticate: Basic realm=x"));
    assertThat(sink(peer).deliver(attempt()))
        .isEqualTo(new Outcome.Transient("HTTP " + status, null));
    assertThat(peer.requests()).hasSize(1);
  }

  @Test
  void theListOfPermanentStatusesIsConfigurable() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(404));
    assertThat(sink(peer, "permanent-statuses[0]", "404").deliver(attempt()))
        .isEqualTo(new Outcome.Permanent("HTTP 404"));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          120,                               120000
          0,                                 0
          Wed$ 06 May 2026 07:10:09 GMT,     119900
          Wednesday$ 06-May-26 07:10:09 GMT, 119900
          604800,                            604800000
          0000000000120,                     120000
          999999999999,                      31536000000
          99999999999999999999999999,        31536000000
          Sun$ 06 May 2096 07:10:09 GMT,     31536000000
          """)
  void retryAfterIsReadInSecondsAndAsADate(String value, long millis) throws Exception {
    String header = "Retry-After: " + value.replace('$', ',');
    Peer peer = peer((request, wire) -> wire.status(429, header));
    assertThat(sink(peer).deliver(attempt()))
        .isEqualTo(new Outcome.Transient("HTTP 429", Duration.ofMillis(millis)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "", "soon", "Mon, 06 May 2019 07:10:09 GMT", "1.5", "١٢"})
  void aRetryAfterThatSaysNothingIsIgnored(String value) throws Exception {
    Peer peer = peer((request, wire) -> wire.status(503, "Retry-After: " + value));
    assertThat(sink(peer).deliver(attempt())).isEqualTo(new Outcome.Transient("HTTP 503", null));
  }

  @Test
  void detailsSayNothingThatThePeerWrote() throws Exception {
    Peer peer =
        peer(
            (request, wire) ->
                wire.write(
                    "HTTP/1.1 500 canary\r\nX-A: canary\r\nContent-Length: 6\r\n\r\ncanary"));
    assertThat(sink(peer).deliver(attempt())).isEqualTo(new Outcome.Transient("HTTP 500", null));
  }

  @Test
  void oneConnectionServesManyHooks() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    Sink sink = sink(peer);
    for (int seq = 1; seq <= 20; seq++) {
      sink.deliver(Attempts.of(seq, BODY));
    }
    assertThat(peer.requests()).hasSize(20);
    assertThat(peer.accepted()).isEqualTo(1);
  }

  @Test
  void cookiesOfAnAnswerAreForgotten() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200, "Set-Cookie: a=b"));
    Sink sink = sink(peer);
    sink.deliver(attempt());
    sink.deliver(attempt());
    assertThat(peer.requests().getLast().headers("cookie")).isEmpty();
  }

  @Test
  void thereAreNeverMoreConnectionsThanAllowed() throws Exception {
    var pairs = new CyclicBarrier(2);
    Peer peer =
        peer(
            (request, wire) -> {
              pairs.await(10, TimeUnit.SECONDS);
              wire.status(200);
            });
    Sink sink = sink(peer, "max-connections", "2");
    List<FutureTask<Outcome>> attempts = start(sink, 30);
    for (FutureTask<Outcome> attempt : attempts) {
      assertThat(attempt.get(20, TimeUnit.SECONDS)).isInstanceOf(Outcome.Delivered.class);
    }
    assertThat(peer.most()).isEqualTo(2);
  }

  @Test
  void attemptsThatRunOutOfTimeWhileTheyWaitForAConnectionCostNone() throws Exception {
    var deaf = new AtomicBoolean(true);
    var pair = new CyclicBarrier(2);
    Peer peer =
        peer(
            (request, wire) -> {
              if (deaf.get()) {
                wire.awaitTheEnd();
              } else {
                pair.await(10, TimeUnit.SECONDS);
                wire.status(200);
              }
            });
    Sink sink = sink(peer, "max-connections", "2", "timeout", "200ms");
    for (int round = 0; round < 10; round++) {
      for (FutureTask<Outcome> attempt : start(sink, 6)) {
        assertThat(attempt.get(20, TimeUnit.SECONDS))
            .isEqualTo(new Outcome.Transient("timed out after 200ms", null));
      }
    }
    await().untilAsserted(() -> assertThat(peer.connections()).isZero());
    deaf.set(false);
    // Only two at once get through the barrier of the peer.
    await()
        .untilAsserted(
            () -> {
              pair.reset();
              for (FutureTask<Outcome> attempt : start(sink, 2)) {
                assertThat(attempt.get(20, TimeUnit.SECONDS)).isInstanceOf(Outcome.Delivered.class);
              }
            });
  }

  @Test
  void connectionsThatNobodyUsesAreClosedByUsFirst() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    sink(peer).deliver(attempt());
    assertThat(peer.accepted()).isEqualTo(1);
    await().atMost(Duration.ofSeconds(5)).until(() -> peer.connections() == 0);
  }

  @Test
  void aConnectionThePeerAnnouncedToKeepForASecondIsNotKept() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200, "Keep-Alive: timeout=1"));
    Sink sink = sink(peer);
    sink.deliver(attempt());
    await()
        .atMost(Duration.ofSeconds(5))
        .untilAsserted(
            () -> {
              sink.deliver(attempt());
              assertThat(peer.accepted()).isGreaterThan(1);
            });
  }

  @Test
  void anErrorWhileANameIsLookedUpFailsThatAttemptOnly() throws Exception {
    Peer peer = peer((request, wire) -> wire.status(200));
    int[] calls = {0};
    CheckedDns.Lookup failsOnce =
        host -> {
          if (calls[0]++ == 0) {
            throw new StackOverflowError("planted");
          }
          return InetAddress.getAllByName(host);
        };
    Sink sink = sink(failsOnce, Map.of("url", peer.url()));
    assertThat(sink.deliver(attempt())).isInstanceOf(Outcome.Transient.class);
    assertThat(sink.deliver(attempt())).isInstanceOf(Outcome.Delivered.class);
  }

  private static void answer(Peer.Wire wire, int status, String... headers) throws Exception {
    if (status == 204 || status == 304) {
      wire.write("HTTP/1.1 " + status + " No Content\r\n\r\n");
    } else {
      wire.status(status, headers);
    }
  }

  private static List<FutureTask<Outcome>> start(Sink sink, int attempts) {
    List<FutureTask<Outcome>> started =
        IntStream.range(0, attempts)
            .mapToObj(n -> new FutureTask<>(() -> sink.deliver(attempt())))
            .toList();
    started.forEach(Thread::startVirtualThread);
    return started;
  }

  /** By hand, as the specification has it: HMAC-SHA256 over id, time and body, joined by dots. */
  private static String signature(byte[] key, Peer.Request request) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update(request.header("webhook-id").getBytes(UTF_8));
    mac.update((byte) '.');
    mac.update(request.header("webhook-timestamp").getBytes(UTF_8));
    mac.update((byte) '.');
    return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(request.body()));
  }

  private static Attempt attempt() {
    return Attempts.of(1, BODY);
  }

  private Peer peer(Peer.Script script) {
    var peer = new Peer(script);
    open.add(peer);
    return peer;
  }

  private Sink sink(Peer peer, String... more) {
    Map<String, String> settings = new HashMap<>(Map.of("url", peer.url()));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return sink(settings);
  }

  private Sink sink(Map<String, String> settings) {
    return sink(InetAddress::getAllByName, settings);
  }

  private Sink sink(CheckedDns.Lookup lookup, Map<String, String> settings) {
    Sink sink =
        new HttpSinkFactory(
                InstantSource.fixed(NOW),
                "Highwater/test",
                EgressPolicy.ANY,
                lookup,
                DefaultClientTlsStrategy.createDefault(),
                Duration.ofMillis(200))
            .create(new SourceRef("acme", "stripe"), "main", settings);
    open.add(sink);
    return sink;
  }
}
