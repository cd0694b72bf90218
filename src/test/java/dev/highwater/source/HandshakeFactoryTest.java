package dev.highwater.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.handshake.HandshakeOutcome;
import dev.highwater.handshake.SourceHandshake;
import dev.highwater.hook.Headers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** What a source may say of its handshake, and what each mistake is called. */
class HandshakeFactoryTest {
  private static final String SUBSCRIBE = "hub.mode=subscribe&hub.challenge=1&hub.verify_token=";

  private final Map<String, Object> properties = new HashMap<>();

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "meta   |      |                 | verify-token: is missing: the type meta names it",
        "meta   | on   |                 | verify-token: is missing",
        "meta   |      | ''              | verify-token: is empty",
        "meta   |      | ${NOT_SET_HERE} | the environment variable NOT_SET_HERE is not set",
        "meta   |      | file:/no/file   | does not exist",
        "meta   | nope | canary          | handshake: \"nope\" is not known; use on or off",
        "slack  |      | canary          | verify-token: the type slack names no verify token",
        "github | off  |                 | handshake: the type github has no handshake; remove it",
        "github |      | canary          | verify-token: the type github names no verify token",
      })
  void aMistakeIsNamed(
      String type, @Nullable String handshake, @Nullable String token, String problem) {
    set("handshake", handshake);
    set("verify-token", token);
    assertThatThrownBy(() -> create(type, "s"))
        .isInstanceOf(SourceConfigurationException.class)
        .hasMessageStartingWith("highwater.sources.a.")
        .hasMessageContaining(problem)
        .hasMessageNotContaining("canary")
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "false"})
  void whatIsOffNeedsNoToken(String off) {
    set("handshake", off);
    assertThat(create("meta", "s").methods()).isEmpty();
  }

  /** As YAML reads the word without quotes. */
  @Test
  void offMayStandWithoutQuotes() {
    properties.put("highwater.sources.a.handshake", false);
    assertThat(create("dropbox", "s").methods()).isEmpty();
    properties.put("highwater.sources.a.handshake", true);
    assertThat(create("dropbox", "s").methods()).containsExactly("GET");
  }

  @Test
  void theTokenMayBeInAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "t0ken\n");
    set("verify-token", "file:" + file);
    SourceHandshake meta = create("meta", "s");
    assertThat(meta.open("GET", SUBSCRIBE + "t0ken", Headers.none()))
        .isInstanceOf(HandshakeOutcome.Answered.class);
    assertThat(meta.open("GET", SUBSCRIBE + "other", Headers.none()))
        .isInstanceOf(HandshakeOutcome.Refused.class);
  }

  @Test
  void theNewestSecretAnswers() {
    String query = "crc_token=abc";
    byte[] one = body(create("x", "new").open("GET", query, Headers.none()));
    byte[] rotated = body(create("x", "new", "old").open("GET", query, Headers.none()));
    byte[] other = body(create("x", "old", "new").open("GET", query, Headers.none()));
    assertThat(rotated).isEqualTo(one).isNotEqualTo(other);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slack | 200 | ''",
        "twilio | 204 | ''",
        "adyen | 200 | [accepted]",
        "msgraph | 202 |"
      })
  void aTypeHasItsOwnAnswer(String type, int status, @Nullable String body) {
    SuccessAnswer success = ProviderManners.success(type);
    assertThat(success.status()).isEqualTo(status);
    if (body == null) {
      assertThat(success.body()).isNull();
    } else {
      assertThat(success.body()).isEqualTo(body.getBytes(UTF_8));
    }
  }

  @Test
  void otherTypesHaveTheUsualAnswerAndOnlyDiscordInsistsOnRefusals() {
    for (String type : List.of("github", "mailgun", "zoom")) {
      assertThat(ProviderManners.success(type)).isEqualTo(SuccessAnswer.USUAL);
      assertThat(ProviderManners.mustRefuseForgeries(type)).isFalse();
    }
    assertThat(ProviderManners.mustRefuseForgeries("discord")).isTrue();
  }

  @Test
  void theTokenIsNotPrinted() {
    set("verify-token", "canary");
    assertThat(source().toString() + create("meta", "canary")).doesNotContain("canary");
  }

  private static byte[] body(HandshakeOutcome outcome) {
    return ((HandshakeOutcome.Answered) outcome).body();
  }

  private void set(String key, @Nullable String value) {
    if (value != null) {
      properties.put("highwater.sources.a." + key, value);
    }
  }

  private SourceHandshake create(String type, String... secrets) {
    return HandshakeFactory.create(
        "highwater.sources.a", type, source(), List.of(secrets), Set.of("POST"));
  }

  private SourceProperties source() {
    properties.put("highwater.sources.a.type", "any");
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return requireNonNull(SourcesProperties.bind(environment).sources().get("a"));
  }
}
