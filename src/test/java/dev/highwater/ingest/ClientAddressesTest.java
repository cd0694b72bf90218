package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Headers;
import dev.highwater.source.AddressRange;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressesTest {
  private final ClientAddresses addresses =
      new ClientAddresses(
          List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("2001:db8::/32")));

  @Test
  void withoutATrustedProxyTheHeaderIsDataLikeAnyOther() {
    var nobody = new ClientAddresses(List.of());
    assertThat(nobody.clientOf("10.0.0.1", forwarded("203.0.113.7"))).isEqualTo(ip("10.0.0.1"));
    assertThat(nobody.trustsAnybody()).isFalse();
  }

  @Test
  void aPeerThatIsNotTrustedSpeaksForItself() {
    assertThat(client("198.51.100.1", "203.0.113.7")).isEqualTo(ip("198.51.100.1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "203.0.113.7 | 203.0.113.7",
        // What stands before the nearest untrusted hop was written by the client.
        "127.0.0.1, 203.0.113.7 | 203.0.113.7",
        "junk, 203.0.113.7, 10.2.3.4 | 203.0.113.7",
        "203.0.113.7:4711 | 203.0.113.7",
        "[2001:470::1]:443 | 2001:470::1",
        "[2001:470::1] | 2001:470::1",
        "2001:470::1, 2001:db8::9 | 2001:470::1",
        "::ffff:203.0.113.7 | 203.0.113.7",
        // A mapped address of a trusted proxy is that proxy.
        "203.0.113.7, ::ffff:10.1.1.1 | 203.0.113.7",
        ",, 203.0.113.7 , | 203.0.113.7",
        "10.9.9.9, 10.2.3.4 | 10.9.9.9"
      })
  void aTrustedProxyNamesTheClient(String header, String client) {
    assertThat(client("10.0.0.1", header)).isEqualTo(ip(client));
  }

  @Test
  void withoutTheHeaderTheProxyItselfIsTheClient() {
    assertThat(client("10.0.0.1")).isEqualTo(ip("10.0.0.1"));
  }

  @Test
  void severalHeadersAreOneList() {
    assertThat(client("10.0.0.1", "198.51.100.1", "203.0.113.7, 10.0.0.2"))
        .isEqualTo(ip("203.0.113.7"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unknown",
        "_hidden",
        "203.0.113.7:",
        "203.0.113.7:x",
        "203.0.113.7:123456",
        "[::1",
        "[]",
        "[::1]x",
        "203.0.113.7.",
        "010.0.0.1",
        "fe80::1%eth0",
        "example.com"
      })
  void whatATrustedProxyNamesUnreadablyIsNobody(String hop) {
    assertThat(client("10.0.0.1", "203.0.113.7, " + hop)).isNull();
  }

  @Test
  void moreProxiesThanAnybodyHasAreNotFollowed() {
    assertThat(client("10.0.0.1", "203.0.113.7" + ", 10.0.0.2".repeat(32))).isNull();
    assertThat(client("10.0.0.1", "203.0.113.7" + ", 10.0.0.2".repeat(31)))
        .isEqualTo(ip("203.0.113.7"));
  }

  @Test
  void aLinkLocalPeerHasAZoneInItsName() {
    assertThat(client("fe80:0:0:0:0:0:0:1%eth0")).isEqualTo(ip("fe80::1"));
  }

  private @Nullable InetAddress client(String peer, String... headers) {
    return addresses.clientOf(peer, forwarded(headers));
  }

  private static Headers forwarded(String... values) {
    String[] pairs = new String[2 * values.length];
    for (int i = 0; i < values.length; i++) {
      pairs[2 * i] = "x-forwarded-for";
      pairs[2 * i + 1] = values[i];
    }
    return Headers.of(pairs);
  }

  private static InetAddress ip(String text) {
    return InetAddress.ofLiteral(text);
  }
}
