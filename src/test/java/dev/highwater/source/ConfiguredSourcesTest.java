package dev.highwater.source;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.Headers;
import dev.highwater.hook.Verification;
import dev.highwater.signature.FailureReason;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.Verifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** A mistake in the configuration stops the start with one line that names the key. */
class ConfiguredSourcesTest {
  private static final String SIGNATURE =
      "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

  private final Map<String, Object> properties = new HashMap<>();

  @TempDir Path directory;

  ConfiguredSourcesTest() {
    source("type", "github");
    source("secrets[0]", "It's a Secret to Everybody");
    source("sinks[0].name", "out");
    source("sinks[0].type", "http");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type                  | githab          | \"githab\" is not known; use one of adyen, basic",
        "type                  | ''              | is missing; use one of",
        "secrets[0]            | ''              | is empty",
        "secrets[0]            | '   '           | is empty",
        "secrets[1]            | ''              | is empty",
        "secrets[0]            | ${NOT_SET_HERE} | the environment variable NOT_SET_HERE is not set",
        "secrets[1]            | a${b            | ${…}",
        "secrets[1]            | file:/no/file   | does not exist",
        "secrets[1]            | file:/          | cannot be read",
        "secrets[1]            | file:           | cannot be read",
        "tolerance             | 5m              | signs no time",
        "on-failure            | drop            | use reject, quarantine or flag",
        "dedupe.window         | -1s             | must be at most 365d",
        "dedupe.window         | 9999d           | must be at most 365d",
        "dedupe.window         | 10us            | at least 1ms",
        "dedupe.header         | 'a b'           | is not the name of a header",
        "dedupe.body           | a..b            | \"a..b\" is wrong",
        "dedupe.join[0].heade  | a               | is not a known key",
        "methods[0]            | GET             | use POST, PUT, PATCH or DELETE",
        "max-body              | 0               | must be 1B to 64MB",
        "max-body              | -1              | must be 1B to 64MB",
        "max-body              | 65MB            | must be 1B to 64MB",
        "external-url          | /hooks          | is not a full URL",
        "external-url          | ftp://a/b       | is not a full URL",
        "external-url          | 'https://a b'   | is not a full URL",
        "response.status       | 302             | must be 200 to 299",
        "response.content-type | text/plain      | is for a body",
        "sinks[0].name         | Out             | use 1 to 63 of",
        "sinks[0].name         | ''              | is missing",
        "sinks[0].type         | ''              | is missing",
        "sinks[0].secret       | ''              | is empty",
        "sinks[0].secrets[0]   | ${NOT_SET_HERE} | NOT_SET_HERE is not set",
        "sinks[0].url          | ${NOT_SET_HERE} | NOT_SET_HERE is not set",
        "allow-from[0]         | 10.0.0.0/33     | is not a range of addresses such as",
        "allow-from[0]         | internal        | is not a range of addresses such as",
        "allow-from[0]         | 10.1.0.0/8      | has bits behind its prefix",
        "rate-limit.hooks-per-second | 0         | must be 1 to 1000000, not 0",
        "rate-limit.bytes-per-second | 10B       | must be 1KB to 1TB",
        "rate-limit.per-second | 5               | is not a known key",
        "client-rate-limit.hooks-per-second | x  | must be",
        "expires               | 5s              | is not a known key",
      })
  void oneWrongValueIsNamed(String key, String value, String problem) {
    source(key, value);

    assertThatThrownBy(this::load)
        .isInstanceOfSatisfying(
            SourceConfigurationException.class,
            e -> assertThat(e.key()).startsWith("highwater.sources.a." + key))
        .hasMessageStartingWith("highwater.sources.a.")
        .hasMessageContaining(problem)
        .hasMessageNotContaining("\n")
        .hasMessageNotContaining("Everybody");
  }

  @Test
  void aLimitThatLimitsNothingIsRefused() {
    source("rate-limit.burst", "5s");
    refused("highwater.sources.a.rate-limit", "limits nothing; set hooks-per-second");
  }

  @Test
  void aSchemeIsForTheTypeCustomOnly() {
    source("scheme.signed", "{body}");
    refused("highwater.sources.a.scheme", "is for the type custom");
  }

  @Test
  void secretsMustBeThere() {
    properties.remove("highwater.sources.a.secrets[0]");
    refused("highwater.sources.a.secrets", "needs 1 to 8 secrets");
  }

  @Test
  void anEmptyListOfSecretsIsNone() {
    properties.remove("highwater.sources.a.secrets[0]");
    source("secrets", "");
    refused("highwater.sources.a.secrets", "needs 1 to 8 secrets");
  }

  @Test
  void nineSecretsAreTooMany() {
    for (int i = 0; i < 9; i++) {
      source("secrets[" + i + "]", "s" + i);
    }
    refused("highwater.sources.a.secrets", "has 9 secrets");
  }

  @Test
  void aSecretThatIsNoKeyIsNamedByItsPlaceAndNotRepeated() {
    source("type", "standard-webhooks");
    source("secrets[0]", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD");
    source("secrets[1]", "whsec_canary!");
    assertThatThrownBy(this::load)
        .isInstanceOf(SourceConfigurationException.class)
        .hasMessageStartingWith("highwater.sources.a.secrets[1]: is not a secret of this type")
        .hasMessageNotContaining("canary");
  }

  @Test
  void secretsAreNotForATypeThatChecksNothing() {
    source("type", "none");
    refused("highwater.sources.a.secrets", "checks nothing");
  }

  @Test
  void aSecretMayBeInAFileWithOneNewlineAtItsEnd() throws IOException {
    Path file = directory.resolve("secret");
    source("secrets[0]", "file:" + file);
    for (String end : new String[] {"", "\n", "\r\n"}) {
      Files.writeString(file, "It's a Secret to Everybody" + end);
      assertThat(verify()).isInstanceOf(Verifier.Verified.class);
    }
    Files.writeString(file, "It's a Secret to Everybody\n\n");
    assertThat(verify()).isInstanceOf(Verifier.Failed.class);
  }

  @Test
  void aFileWithoutASecretIsRefused() throws IOException {
    Path file = directory.resolve("secret");
    source("secrets[0]", "file:" + file);
    Files.writeString(file, "\n");
    refused("highwater.sources.a.secrets[0]", "is empty");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
    refused("highwater.sources.a.secrets[0]", "is not UTF-8 text");
    Files.write(file, new byte[64 * 1024 + 1]);
    refused("highwater.sources.a.secrets[0]", "is larger than");
    Files.writeString(file, "${SECRET}");
    refused("highwater.sources.a.secrets[0]", "the environment variable SECRET is not set");
  }

  @Test
  void aSecretOfASinkMayBeInAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), "whsec_x\n");
    source("sinks[0].secrets[0]", "file:" + file);
    source("sinks[0].path", "file:" + file);
    assertThat(a().sinks().getFirst().settings())
        .containsOnly(Map.entry("secrets[0]", "whsec_x"), Map.entry("path", "file:" + file));
  }

  @Test
  void theOlderSecretIsTriedToo() {
    source("secrets[1]", "It's a Secret to Everybody");
    source("secrets[0]", "the new one");
    assertThat(verify()).isInstanceOf(Verifier.Verified.class);
  }

  @Test
  void aSourceMayTakeInWhatFailsMarkedAsFailed() {
    source("on-failure", "flag");
    source("secrets[0]", "another");
    source("dedupe.header", "x-event");
    Source a = a();
    assertThat(a.verifier().verify(request()))
        .isInstanceOfSatisfying(
            Verifier.Verified.class,
            verified -> {
              assertThat(verified.request().verification()).isEqualTo(Verification.FAILED);
              assertThat(a.dedupe().keyOf(verified.request())).isNull();
            });
  }

  @Test
  void aSourceNeedsASink() {
    properties.remove("highwater.sources.a.sinks[0].name");
    properties.remove("highwater.sources.a.sinks[0].type");
    refused("highwater.sources.a.sinks", "needs 1 to 64 sinks, not 0");
  }

  @Test
  void namesOfSinksAreUnique() {
    source("sinks[1].name", "out");
    source("sinks[1].type", "http");
    refused("highwater.sources.a.sinks[1].name", "\"out\" is the name of another sink here");
  }

  @Test
  void aLogSinkAloneIsForTheDemoOnly() {
    source("sinks[0].type", "log");
    refused("highwater.sources.a.sinks", "a log sink delivers nowhere");
    assertThat(ConfiguredSources.of(bind(), true).all()).hasSize(1);
    source("sinks[1].name", "second");
    source("sinks[1].type", "http");
    assertThat(load().all()).hasSize(1);
  }

  @Test
  void namesFollowTheRule() {
    properties.put("highwater.sources.Upper.type", "none");
    refused("highwater.sources.Upper", "is not a source name: use 1 to 63 of");
    properties.remove("highwater.sources.Upper.type");
    properties.put("highwater.tenants.a_b.sources.a.type", "none");
    refused("highwater.tenants.a_b", "is not a tenant name: use 1 to 63 of");
  }

  @Test
  void aSourceOfTheDefaultTenantStandsInOnePlace() {
    properties.put("highwater.tenants.default.sources.a.type", "none");
    properties.put("highwater.tenants.default.sources.a.sinks[0].name", "out");
    properties.put("highwater.tenants.default.sources.a.sinks[0].type", "http");
    refused("highwater.tenants.default.sources.a", "is also under highwater.sources");
  }

  @Test
  void aDedupeKeyIsSaidInOneWay() {
    source("dedupe.header", "a");
    source("dedupe.body", "b");
    refused("highwater.sources.a.dedupe", "use join");
    properties.remove("highwater.sources.a.dedupe.header");
    properties.remove("highwater.sources.a.dedupe.body");
    source("dedupe.join[0].header", "a");
    source("dedupe.join[0].body", "b");
    refused("highwater.sources.a.dedupe.join[0]", "one of them");
  }

  @Test
  void quarantineKeepsWhatFailsAndTheCheckItselfStaysStrict() {
    source("on-failure", "quarantine");
    source("secrets[0]", "another");

    assertThat(verify())
        .isInstanceOfSatisfying(
            Verifier.Quarantined.class,
            kept -> assertThat(kept.reason()).isEqualTo(FailureReason.NO_MATCH));
    assertThat(a().verifier().strict().verify(request()))
        .isEqualTo(new Verifier.Failed(FailureReason.NO_MATCH));
    source("on-failure", "flag");
    assertThat(a().verifier().strict().verify(request())).isInstanceOf(Verifier.Failed.class);
  }

  @Test
  void anAnswerWithoutABodyIsEmptyAndNotJson() {
    source("response.status", "204");
    assertThat(requireNonNull(a().success().body())).isEmpty();
    source("response.body", "x");
    refused("highwater.sources.a.response.body", "has no body");
  }

  @Test
  void noSourcesAreFine() {
    properties.clear();
    assertThat(load().all()).isEmpty();
    assertThat(load().find("default", "a")).isNull();
  }

  private void refused(String key, String problem) {
    assertThatThrownBy(this::load)
        .isInstanceOfSatisfying(
            SourceConfigurationException.class, e -> assertThat(e.key()).isEqualTo(key))
        .hasMessageContaining(problem);
  }

  private void source(String key, String value) {
    properties.put("highwater.sources.a." + key, value);
  }

  private Verifier.Verdict verify() {
    return a().verifier().verify(request());
  }

  private static UnverifiedRequest request() {
    byte[] body = "Hello, World!".getBytes(StandardCharsets.UTF_8);
    Headers headers = Headers.of("X-Hub-Signature-256", SIGNATURE, "x-event", "e1");
    return new UnverifiedRequest("POST", "/webhooks/a", headers, body, 0);
  }

  private Source a() {
    return requireNonNull(load().find("default", "a"));
  }

  private ConfiguredSources load() {
    return ConfiguredSources.of(bind(), false);
  }

  private SourcesProperties bind() {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return SourcesProperties.bind(environment);
  }
}
