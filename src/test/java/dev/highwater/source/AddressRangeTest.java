package dev.highwater.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "192.0.2.128/25, 192.0.2.127, false",
    "192.0.2.128/25, 192.0.2.128, true",
    "203.0.113.7, 203.0.113.7, true",
    "203.0.113.7, 203.0.113.6, false",
    "203.0.113.7/32, 203.0.113.7, true",
    "0.0.0.0/0, 198.51.100.1, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "::/0, 198.51.100.1, false",
    "2001:db8::/33, 2001:db8:7fff::1, true",
    "2001:db8::/33, 2001:db8:8000::1, false",
    "::1, 0:0:0:0:0:0:0:1, true",
    "10.0.0.0/8, ::ffff:10.1.2.3, true",
    "::ffff:10.0.0.0, 10.0.0.0, true"
  })
  void aRangeHasWhatItsPrefixSays(String range, String address, boolean has) {
    assertThat(AddressRange.parse(range).contains(InetAddress.ofLiteral(address))).isEqualTo(has);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/8",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/8x",
        "10.0.0.0/0008",
        "10.0.0/8",
        "10",
        "010.0.0.1",
        "256.0.0.1",
        "1.2.3.4.5",
        "localhost",
        "hooks.example.com",
        "::1/129",
        "fe80::1%eth0",
        "[::1]",
        "1::2::3",
        ":::",
        " 10.0.0.0/8",
        "10.0.0.0/8 ",
        "::ffff:10.0.0.0/104"
      })
  void whatIsNoRangeIsRefusedAndQuoted(String text) {
    assertThatThrownBy(() -> AddressRange.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\" is not a range of addresses");
  }

  @Test
  void bitsBehindThePrefixAreRefusedSinceSomethingElseWasMeant() {
    assertThatThrownBy(() -> AddressRange.parse("10.1.0.0/8"))
        .hasMessageContaining("\"10.1.0.0/8\" has bits behind its prefix");
  }

  @Test
  void anAddressIsReadWithoutAskingTheDns() {
    assertThat(AddressRange.address("localhost")).isNull();
    assertThat(AddressRange.address("1:2:3:4:5:6:7:8")).isNotNull();
    assertThat(AddressRange.address("1".repeat(100_000))).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/8", "203.0.113.7", "2001:db8:0:0:0:0:0:0/32"})
  void itIsPrintedAsItIsWritten(String text) {
    assertThat(AddressRange.parse(text)).hasToString(text);
  }
}
