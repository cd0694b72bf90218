package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class IntakePropertiesTest {
  private static IntakeProperties bound(Map<String, String> settings) {
    return new Binder(new MapConfigurationPropertySource(settings))
        .bindOrCreate("highwater.intake", IntakeProperties.class);
  }

  @Test
  void theDefaultsAreTheDocumentedOnes() {
    assertThat(bound(Map.of()))
        .isEqualTo(
            new IntakeProperties(
                Duration.ofSeconds(20), Duration.ofSeconds(30), Duration.ofSeconds(10), List.of()));
  }

  @Test
  void everyKeyIsBound() {
    assertThat(
            bound(
                Map.of(
                    "highwater.intake.header-timeout", "1s",
                    "highwater.intake.body-timeout", "2s",
                    "highwater.intake.read-timeout", "3s",
                    "highwater.intake.trusted-proxies", "10.0.0.0/8, ::1")))
        .isEqualTo(
            new IntakeProperties(
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                List.of("10.0.0.0/8", "::1")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"header-timeout", "body-timeout", "read-timeout"})
  void nonsenseIsRefusedNamingTheKey(String name) {
    for (String value : new String[] {"0s", "-1s", "11m"}) {
      assertThatThrownBy(() -> bound(Map.of("highwater.intake." + name, value)))
          .rootCause()
          .hasMessageContaining("highwater.intake." + name + " must be 10ms to 10m, not ");
    }
  }

  @Test
  void aReadNeverWaitsLongerThanTheWholeBodyMay() {
    var second = Duration.ofSeconds(1);
    var minute = Duration.ofMinutes(1);
    assertThat(new IntakeProperties(minute, second, minute, List.of()).longestRead())
        .isEqualTo(second);
    assertThat(new IntakeProperties(minute, minute, second, List.of()).longestRead())
        .isEqualTo(second);
  }

  @Test
  void aProxyThatIsNoRangeOfAddressesIsRefusedNamingTheKey() {
    assertThatThrownBy(
            () -> bound(Map.of("highwater.intake.trusted-proxies", "10.0.0.0/8, proxy.internal")))
        .rootCause()
        .hasMessageContaining(
            "highwater.intake.trusted-proxies[1]: \"proxy.internal\" is not a range of addresses");
  }
}
