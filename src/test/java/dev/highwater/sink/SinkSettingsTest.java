package dev.highwater.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.AbstractStringAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

class SinkSettingsTest {
  enum Acks {
    ALL,
    LEADER_ONLY
  }

  record Nested(@DefaultValue("1") int depth) {}

  record Sample(
      @Nullable String url,
      @DefaultValue List<String> secrets,
      @DefaultValue("30s") Duration timeout,
      @DefaultValue("64KB") DataSize inlineMax,
      @DefaultValue("16") int maxConnections,
      @DefaultValue Map<String, String> headers,
      @DefaultValue({"410"}) Set<Integer> statuses,
      @DefaultValue("all") Acks acks,
      @DefaultValue("true") boolean eager,
      @DefaultValue Nested nested) {
    Sample {
      if (maxConnections < 1) {
        throw new IllegalArgumentException("max-connections must be at least 1");
      }
    }
  }

  record Empty() {}

  @Test
  void bindsEveryKind() {
    Sample sample =
        SinkSettings.bind(
            Sample.class,
            Map.ofEntries(
                Map.entry("url", "https://example.com/a?b=c"),
                Map.entry("secrets[0]", "new,with,commas"),
                Map.entry("secrets[1]", "old"),
                Map.entry("timeout", "300ms"),
                Map.entry("inline-max", "1MB"),
                Map.entry("max-connections", "4"),
                Map.entry("headers.X-Key", "a"),
                Map.entry("headers[x.dotted_name]", "b"),
                Map.entry("statuses[0]", "404"),
                Map.entry("acks", "leader-only"),
                Map.entry("eager", "false"),
                Map.entry("nested.depth", "3")));
    assertThat(sample)
        .isEqualTo(
            new Sample(
                "https://example.com/a?b=c",
                List.of("new,with,commas", "old"),
                Duration.ofMillis(300),
                DataSize.ofMegabytes(1),
                4,
                Map.of("X-Key", "a", "x.dotted_name", "b"),
                Set.of(404),
                Acks.LEADER_ONLY,
                false,
                new Nested(3)));
  }

  @Test
  void whatIsNotThereHasItsDefault() {
    Sample sample = SinkSettings.bind(Sample.class, Map.of());
    assertThat(sample.timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(sample.secrets()).isEmpty();
    assertThat(sample.statuses()).containsExactly(410);
    assertThat(sample.url()).isNull();
    assertThat(SinkSettings.bind(Empty.class, Map.of())).isEqualTo(new Empty());
  }

  @Test
  void spellingsOfAKeyThatTheRestOfTheConfigurationAllowsAreAllowed() {
    assertThat(SinkSettings.bind(Sample.class, Map.of("maxConnections", "3")).maxConnections())
        .isEqualTo(3);
    assertThat(SinkSettings.bind(Sample.class, Map.of("max_connections", "3")).maxConnections())
        .isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ulr",
        "url ",
        "ürl",
        "",
        ".url",
        "[0]",
        "url..x",
        "headers.bä",
        "headers.",
        "headers.a b",
        "secrets[",
        "time-outs"
      })
  void anUnknownKeyIsNamedBesideTheKnownOnes(String key) {
    refuses(Map.of(key, "canary"))
        .startsWith(key)
        .contains("acks, eager, headers, inline-max, max-connections, nested, secrets");
  }

  @ParameterizedTest
  @ValueSource(strings = {"timeout.value", "secrets[2]", "url[0]", "nested.depht", "acks.x"})
  void aKeyThatLeadsNowhereIsNamed(String key) {
    refuses(Map.of(key, "canary")).startsWith(key);
  }

  @Test
  void aSinkWithoutSettingsSaysSo() {
    assertThatThrownBy(() -> SinkSettings.bind(Empty.class, Map.of("url", "canary")))
        .hasMessage("url is not a setting of this type of sink; it has none");
  }

  @ParameterizedTest
  @CsvSource({
    "timeout, timeout is not a duration",
    "inline-max, inline-max is not a size",
    "max-connections, max-connections is not a whole number",
    "statuses[0], statuses[0] is not a whole number",
    "eager, eager is not true or false",
    "nested.depth, nested.depth is not a whole number",
    "acks, 'acks is not one of all, leader-only'",
  })
  void aWrongValueIsNotQuoted(String key, String message) {
    refuses(Map.of(key, "canary")).startsWith(message);
  }

  @Test
  void whatTheRecordRefusesIsToldInItsOwnWords() {
    refuses(Map.of("max-connections", "0")).isEqualTo("max-connections must be at least 1");
  }

  @Test
  void anUnresolvedPlaceholderIsRefused() {
    refuses(Map.of("secrets[0]", "${canary}"))
        .isEqualTo("secrets[0] holds a placeholder that was not resolved");
  }

  private static AbstractStringAssert<?> refuses(Map<String, String> settings) {
    try {
      SinkSettings.bind(Sample.class, settings);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasNoCause();
      return assertThat(e.getMessage()).doesNotContain("canary").doesNotContain("\n");
    }
    throw new AssertionError("nothing was refused");
  }
}
