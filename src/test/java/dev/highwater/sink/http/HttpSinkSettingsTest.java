package dev.highwater.sink.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.sink.SinkSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpSinkSettingsTest {
  @Test
  void everyDefaultIsAsDocumented() {
    HttpSinkSettings settings = bind("url", "https://example.com/hooks");
    assertThat(settings.secrets()).isEmpty();
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.connecting()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.maxConnections()).isEqualTo(16);
    assertThat(settings.headers()).isEmpty();
    assertThat(settings.permanentStatuses()).containsExactlyInAnyOrder(410, 413, 414, 415, 431);
  }

  @Test
  void connectingIsNeverGivenMoreThanTheWhole() {
    assertThat(bind("url", "http://a", "timeout", "2s").connecting())
        .isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void goneIsPermanentWhateverTheListSays() {
    assertThat(bind("url", "http://a", "permanent-statuses", "404,422").permanentStatuses())
        .containsExactlyInAnyOrder(404, 410, 422);
    assertThat(bind("url", "http://a", "permanent-statuses", "").permanentStatuses())
        .containsExactly(410);
  }

  @ParameterizedTest
  @CsvSource({
    "'', url is required",
    "ftp://example.com/, url must begin with",
    "example.com/hooks, url must begin with",
    "file:///etc/passwd, url must begin with",
    "http:///path, url has no valid host name",
    "http://[canary, url is not a URL",
    "http://a/canary b, url is not a URL",
    "http:canary, url has no valid host name",
    "http://can_ary/, url has no valid host name",
    "http://user:canary@example.com/, url must hold no user",
    "http://canary@example.com/, url must hold no user",
    "http://user:canary@can_ary/, url must hold no user",
    "http://example.com:0/, url must have a port",
    "http://example.com:65536/, url must have a port",
    "http://example.com/#canary, url must hold no fragment",
  })
  void aWrongUrlIsRefusedAndNotQuoted(String url, String message) {
    refuses(message, "url", url);
  }

  @Test
  void aUrlIsRequired() {
    refuses("url is required");
  }

  @ParameterizedTest
  @CsvSource({
    "secrets[0], '', secrets[0] is empty",
    "secrets[0], whsec_canary!, secrets[0] has no valid base64",
    "secrets[0], whsec_, secrets[0] has nothing",
    "timeout, 99ms, timeout must be 100ms to 10m",
    "timeout, 11m, timeout must be 100ms to 10m",
    "connect-timeout, 0s, connect-timeout must be 1ms to timeout",
    "connect-timeout, 31s, connect-timeout must be 1ms to timeout",
    "max-connections, 0, 'max-connections must be 1 to 256, not 0'",
    "max-connections, 257, 'max-connections must be 1 to 256, not 257'",
    "permanent-statuses[0], 399, permanent-statuses must be",
    "permanent-statuses[0], 500, permanent-statuses must be",
    "permanent-statuses[0], 429, permanent-statuses must be",
    "headers.Host, canary, headers.Host is written by the sink itself",
    "headers.Content-Length, 7, headers.Content-Length is written by the sink itself",
    "headers.Webhook-Id, canary, headers.Webhook-Id is written by the sink itself",
    "headers.highwater-source, canary, headers.highwater-source is written by the sink itself",
    "headers[a b], canary, headers.a b is not a header name",
    "headers.x, canäry, headers.x must be printable ASCII",
    "verify-tls, false, verify-tls is not a setting",
  })
  void aWrongSettingIsNamedAndNotQuoted(String key, String value, String message) {
    refuses(message, "url", "https://example.com/", key, value);
  }

  @Test
  void aHeaderThatWouldSplitTheRequestIsRefused() {
    refuses("headers.x must be printable ASCII", "url", "http://a", "headers.x", "a\r\ncanary: b");
  }

  @Test
  void aHeaderIsThereOnceWhateverItsCase() {
    refuses("is there twice", "url", "http://a", "headers.X-Key", "a", "headers.x-key", "b");
  }

  @Test
  void atMostEightSecrets() {
    Map<String, String> nine = new HashMap<>(Map.of("url", "http://a"));
    for (int i = 0; i < 9; i++) {
      nine.put("secrets[" + i + "]", "canary" + i);
    }
    assertThatThrownBy(() -> SinkSettings.bind(HttpSinkSettings.class, nine))
        .hasMessage("secrets must be at most 8, not 9");
  }

  @Test
  void theTextOfTheSettingsHoldsNoSecret() {
    assertThat(
            bind(
                "url", "https://example.com/canary?token=canary",
                "secrets[0]", "canary",
                "headers.authorization", "Bearer canary"))
        .hasToString("POST to https://example.com");
  }

  private static HttpSinkSettings bind(String... pairs) {
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      settings.put(pairs[i], pairs[i + 1]);
    }
    return SinkSettings.bind(HttpSinkSettings.class, settings);
  }

  private static void refuses(String message, String... pairs) {
    assertThatThrownBy(() -> bind(pairs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .message()
        .doesNotContain("canary", "canäry")
        .doesNotContain("\n");
  }
}
