package dev.highwater.sink.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.SourceRef;
import dev.highwater.sink.Attempts;
import dev.highwater.sink.EgressPolicy;
import dev.highwater.sink.Outcome;
import dev.highwater.sink.Sink;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private static final char[] PASSWORD = "for-this-test".toCharArray();

  private static SSLContext context;
  private static Peer peer;

  /** A certificate for sink.test that only our own context trusts. */
  @BeforeAll
  static void makeACertificate(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=sink.test",
                "-ext",
                "SAN=dns:sink.test",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keyManagers.init(keys, PASSWORD);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("peer", keys.getCertificate("mykey"));
    var trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trustManagers.init(trusted);
    context = SSLContext.getInstance("TLS");
    context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
    peer = new Peer((request, wire) -> wire.status(200), context.getServerSocketFactory());
  }

  @AfterAll
  static void close() {
    peer.close();
  }

  @Test
  void deliversOverTlsAndKeepsTheConnection() throws Exception {
    int before = peer.accepted();
    try (Sink sink = sink("https://sink.test", new DefaultClientTlsStrategy(context), "20s")) {
      for (int seq = 1; seq <= 3; seq++) {
        assertThat(sink.deliver(Attempts.of(seq, "{}".getBytes(UTF_8))))
            .isInstanceOf(Outcome.Delivered.class);
      }
    }
    assertThat(peer.accepted() - before).isEqualTo(1);
  }

  @Test
  void aCertificateThatNobodyTrustsIsNoConfirmation() throws Exception {
    assertThat(deliver("https://sink.test", DefaultClientTlsStrategy.createDefault()))
        .isEqualTo(new Outcome.Transient("TLS failed", null));
  }

  @Test
  void aCertificateForAnotherHostIsNoConfirmation() throws Exception {
    assertThat(deliver("https://other.test", new DefaultClientTlsStrategy(context)))
        .isInstanceOf(Outcome.Transient.class);
  }

  @Test
  void plainTextToATlsPortIsNoConfirmation() throws Exception {
    assertThat(deliver("http://sink.test", new DefaultClientTlsStrategy(context)))
        .isInstanceOf(Outcome.Transient.class);
  }

  @Test
  void aHandshakeThatNeverEndsIsCutOff() throws Exception {
    try (Peer silent =
        new Peer((request, wire) -> {}) {
          @Override
          void serve(Socket socket) throws Exception {
            new Wire(socket, socket.getOutputStream()).awaitTheEnd();
          }
        }) {
      try (Sink sink =
          factory(new DefaultClientTlsStrategy(context))
              .create(
                  SourceRef.of("s"),
                  "main",
                  Map.of("url", "https://sink.test:" + silent.port(), "timeout", "300ms"))) {
        long start = System.nanoTime();
        assertThat(sink.deliver(Attempts.of(1, new byte[0]))).isInstanceOf(Outcome.Transient.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
      }
    }
  }

  private static Outcome deliver(String origin, TlsSocketStrategy tls) throws Exception {
    try (Sink sink = sink(origin, tls, "20s")) {
      return sink.deliver(Attempts.of(1, "{}".getBytes(UTF_8)));
    }
  }

  private static Sink sink(String origin, TlsSocketStrategy tls, String timeout) {
    return factory(tls)
        .create(
            SourceRef.of("s"),
            "main",
            Map.of("url", origin + ":" + peer.port() + "/", "timeout", timeout));
  }

  private static HttpSinkFactory factory(TlsSocketStrategy tls) {
    return new HttpSinkFactory(
        InstantSource.system(),
        "Highwater/test",
        EgressPolicy.ANY,
        host -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")},
        tls,
        Duration.ofSeconds(4));
  }
}
