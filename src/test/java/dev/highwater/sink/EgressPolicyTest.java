package dev.highwater.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EgressPolicyTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.9",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "3fff::1",
        "4000::1",
        "100::1"
      })
  void publicOnlyRefuses(String literal) {
    assertThat(EgressPolicy.PUBLIC_ONLY.allows(InetAddress.ofLiteral(literal))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.1",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:4700:4700::1111",
        "2001:4860:4860::8888",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1"
      })
  void publicOnlyAllows(String literal) {
    assertThat(EgressPolicy.PUBLIC_ONLY.allows(InetAddress.ofLiteral(literal))).isTrue();
  }

  @Test
  void aMappedAddressThatWasLeftInItsLongFormIsRefused() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xFF;
    mapped[11] = (byte) 0xFF;
    mapped[12] = 10;
    mapped[15] = 1;
    InetAddress address = Inet6Address.getByAddress(null, mapped, -1);
    assertThat(address).isInstanceOf(Inet6Address.class);
    assertThat(EgressPolicy.PUBLIC_ONLY.allows(address)).isFalse();
  }

  @Test
  void anyAllowsWhatIsPrivate() {
    assertThat(EgressPolicy.ANY.allows(InetAddress.ofLiteral("127.0.0.1"))).isTrue();
  }
}
