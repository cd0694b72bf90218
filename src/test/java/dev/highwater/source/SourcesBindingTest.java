package dev.highwater.source;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.SourceRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** From YAML, properties and environment variables to sources. */
class SourcesBindingTest {
  private static final String SINKS =
      """
      sinks: [{name: out, type: http, url: "https://consumer.example/hooks"}]
      """;

  @Test
  void yamlBecomesSources() {
    ConfiguredSources sources =
        load(
            """
            highwater:
              sources:
                payments:
                  type: stripe
                  secrets: [whsec_new, whsec_old]
                  tolerance: 5m
                  on-failure: flag
                  dedupe: {body: data.id, window: 72h}
                  external-url: https://hooks.example.com/webhooks/payments
                  max-body: 1MB
                  methods: [POST, put]
                  allow-from: [203.0.113.0/24, "2001:db8::/32"]
                  rate-limit: {hooks-per-second: 50, bytes-per-second: 1MB, burst: 1m}
                  client-rate-limit: {hooks-per-second: 5}
                  response: {status: 200, body: "ok"}
                  sinks:
                    - name: billing
                      type: http
                      url: https://billing.internal/hooks
                      secrets: ["whsec_a", "whsec_b"]
                      retry: {first: 1s, max-attempts: 5}
                      headers: {X-Api-Key: k, x_odd.name: v}
                    - {name: second, type: log}
              tenants:
                acme:
                  rate-limit: {hooks-per-second: 100}
                  sources:
                    shop: {type: none, sinks: [{name: out, type: http}]}
            """);

    Source payments = requireNonNull(sources.find("default", "payments"));
    assertThat(payments.ref()).isEqualTo(SourceRef.of("payments"));
    assertThat(payments.type()).isEqualTo("stripe");
    assertThat(payments.maxBody()).isEqualTo(1024 * 1024);
    assertThat(payments.methods()).containsExactlyInAnyOrder("POST", "PUT");
    assertThat(payments.success().status()).isEqualTo(200);
    assertThat(payments.success().body()).isEqualTo("ok".getBytes(StandardCharsets.UTF_8));
    assertThat(payments.success().contentType()).isEqualTo("text/plain");
    assertThat(payments.allowFrom()).hasToString("[203.0.113.0/24, 2001:db8:0:0:0:0:0:0/32]");
    assertThat(payments.rateLimits())
        .isEqualTo(
            new RateLimits(
                null,
                new RateLimit(50, 1024 * 1024, Duration.ofMinutes(1)),
                new RateLimit(5, 0, Duration.ofSeconds(10))));
    assertThat(requireNonNull(sources.find("acme", "shop")).rateLimits())
        .isEqualTo(new RateLimits(new RateLimit(100, 0, Duration.ofSeconds(10)), null, null));
    assertThat(payments.sinks())
        .extracting(SinkDefinition::name)
        .containsExactly("billing", "second");
    assertThat(payments.sinks().getFirst().type()).isEqualTo("http");
    assertThat(payments.sinks().getFirst().settings())
        .containsOnly(
            Map.entry("url", "https://billing.internal/hooks"),
            Map.entry("secrets[0]", "whsec_a"),
            Map.entry("secrets[1]", "whsec_b"),
            Map.entry("retry.first", "1s"),
            Map.entry("retry.max-attempts", "5"),
            Map.entry("headers.X-Api-Key", "k"),
            Map.entry("headers.x_odd.name", "v"));
    assertThat(sources.find("acme", "shop")).isNotNull();
    assertThat(sources.find("acme", "payments")).isNull();
    assertThat(sources.find("nobody", "shop")).isNull();
    assertThat(sources.all())
        .extracting(source -> source.ref().toString())
        .containsExactly("acme/shop", "default/payments");
    assertThat(sources.unverified()).containsExactly(new SourceRef("acme", "shop"));
  }

  @Test
  void whatIsLeftOutHasItsDefault() {
    Source source = one("type: none\n" + SINKS);

    assertThat(source.maxBody()).isEqualTo(8 * 1024 * 1024);
    assertThat(source.methods()).containsExactly("POST");
    assertThat(source.success()).isEqualTo(SuccessAnswer.USUAL);
  }

  @Test
  void environmentVariablesBecomeSources() {
    Map<String, Object> variables =
        Map.of(
            "HIGHWATER_SOURCES_GITHUB_TYPE", "github",
            "HIGHWATER_SOURCES_GITHUB_SECRETS_0", "s3cret",
            "HIGHWATER_SOURCES_GITHUB_MAXBODY", "2MB",
            "HIGHWATER_SOURCES_GITHUB_SINKS_0_NAME", "out",
            "HIGHWATER_SOURCES_GITHUB_SINKS_0_TYPE", "http",
            "HIGHWATER_SOURCES_GITHUB_SINKS_0_URL", "https://consumer.example",
            "HIGHWATER_SOURCES_GITHUB_SINKS_0_SECRETS_0", "whsec_a",
            "HIGHWATER_TENANTS_ACME_SOURCES_SHOP_TYPE", "none",
            "HIGHWATER_TENANTS_ACME_SOURCES_SHOP_SINKS_0_NAME", "out",
            "HIGHWATER_TENANTS_ACME_SOURCES_SHOP_SINKS_0_TYPE", "http");
    ConfiguredSources sources =
        load(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));

    Source github = requireNonNull(sources.find("default", "github"));
    assertThat(github.maxBody()).isEqualTo(2 * 1024 * 1024);
    assertThat(github.sinks().getFirst().settings())
        .containsOnly(
            Map.entry("url", "https://consumer.example"), Map.entry("secrets[0]", "whsec_a"));
    assertThat(sources.find("acme", "shop")).isNotNull();
  }

  @Test
  void propertiesBecomeSources() {
    Map<String, Object> properties =
        Map.of(
            "highwater.sources.github-org.type", "github",
            "highwater.sources.github-org.secrets[0]", "s3cret",
            "highwater.sources.github-org.dedupe.join[0].header", "x-a",
            "highwater.sources.github-org.dedupe.join[1].body", "b.c",
            "highwater.sources.github-org.sinks[0].name", "out",
            "highwater.sources.github-org.sinks[0].type", "http",
            "highwater.sources.github-org.sinks[0].secrets[0]", "whsec_a");
    ConfiguredSources sources = load(new MapPropertySource("properties", properties));

    Source source = requireNonNull(sources.find("default", "github-org"));
    assertThat(source.sinks().getFirst().settings())
        .containsOnly(Map.entry("secrets[0]", "whsec_a"));
  }

  @Test
  void aSecretMayComeFromAnEnvironmentVariable() {
    Map<String, Object> variables = Map.of("TEST_SECRET", "from-the-environment");
    SourcesProperties properties =
        SourcesProperties.bind(
            environment(
                new SystemEnvironmentPropertySource("test-systemEnvironment", variables),
                yaml(source("type: github\nsecrets: [\"${TEST_SECRET}\"]\n" + SINKS))));

    assertThat(sourceA(properties).secrets()).containsExactly("from-the-environment");
  }

  @Test
  void dedupeMayBeAWordOrAMapOrNothing() {
    assertThat(one("type: none\ndedupe: none\n" + SINKS).dedupe()).isSameAs(DedupeRule.NONE);
    assertThat(one("type: none\ndedupe: off\n" + SINKS).dedupe()).isSameAs(DedupeRule.NONE);
    assertThat(one("type: none\ndedupe: \"off\"\n" + SINKS).dedupe()).isSameAs(DedupeRule.NONE);
    assertThat(one("type: none\ndedupe:\n" + SINKS).dedupe()).isNotSameAs(DedupeRule.NONE);
    SourcesProperties joined =
        SourcesProperties.bind(
            environment(
                yaml(
                    source(
                        "type: none\n"
                            + "dedupe: {join: [{header: a}, {body: b.c}], window: 1h}\n"
                            + SINKS))));
    assertThat(sourceA(joined).dedupe())
        .isEqualTo(
            new DedupeProperties(
                null,
                null,
                List.of(
                    new DedupeProperties.Part("a", null), new DedupeProperties.Part(null, "b.c")),
                Duration.ofHours(1)));
  }

  @Test
  void anUnknownKeyIsNamed() {
    refused("type: none\nsecretz: [a]\n" + SINKS, "highwater.sources.a.secretz[0]", "not a known");
    refused(
        "type: none\ndedupe: {heder: x}\n" + SINKS, "highwater.sources.a.dedupe.heder", "known");
    refused("type: none\nresponse: {code: 200}\n" + SINKS, "highwater.sources.a.response.code", "");
    assertThatThrownBy(() -> load("highwater: {tenants: {t: {sorces: {a: {type: none}}}}}"))
        .isInstanceOf(SourceConfigurationException.class)
        .hasMessageStartingWith("highwater.tenants.t.sorces.a.type: is not a known key");
  }

  @Test
  void aListThatIsWrittenInTwoPlacesIsNotCalledAnUnknownKey() {
    var commandLine =
        new MapPropertySource(
            "commandLineArgs", Map.of("highwater.sources.a.sinks[0].url", "https://b.example"));
    var variables =
        new SystemEnvironmentPropertySource(
            "test-systemEnvironment",
            Map.of("HIGHWATER_SOURCES_A_SINKS_0_URL", "https://b.example"));
    for (PropertySource<?> above : List.of(commandLine, variables)) {
      assertThatThrownBy(
              () ->
                  ConfiguredSources.of(
                      SourcesProperties.bind(
                          environment(above, yaml(source("type: none\n" + SINKS)))),
                      false))
          .as(above.getName())
          .isInstanceOf(SourceConfigurationException.class)
          .hasMessageStartingWith("highwater.sources.a.sinks: is written in two places")
          .hasMessageContainingAll(
              "taken from one of them as a whole",
              "sinks[0].url",
              "sinks[0].name",
              "whole list in one place")
          .hasMessageNotContaining("example")
          .hasMessageNotContaining("\n");
    }
  }

  @Test
  void anUnknownKeyBesideAListIsStillUnknown() {
    refused(
        "type: none\nsinks: [{name: out, type: http}]\ndedupe: {join: [{heder: a}]}\n",
        "highwater.sources.a.dedupe.join[0].heder: is not a known key");
  }

  @Test
  void aListThatIsWrittenWholeReplacesAnother() {
    var commandLine =
        new MapPropertySource(
            "commandLineArgs",
            Map.of(
                "highwater.sources.a.sinks[0].name", "other",
                "highwater.sources.a.sinks[0].type", "http",
                "highwater.sources.a.sinks[0].url", "https://b.example"));

    SourcesProperties properties =
        SourcesProperties.bind(environment(commandLine, yaml(source("type: none\n" + SINKS))));

    assertThat(sourceA(properties).sinks())
        .containsExactly(Map.of("name", "other", "type", "http", "url", "https://b.example"));
  }

  @Test
  void aValueOfTheWrongKindIsNamedWithWhatWouldBeRight() {
    refused("type: stripe\ntolerance: soon\n" + SINKS, ".tolerance", "\"soon\" is wrong", "5m");
    refused("type: none\nmax-body: huge\n" + SINKS, ".max-body", "\"huge\"", "8MB");
    refused("type: none\nresponse: {status: fine}\n" + SINKS, ".response.status", "\"fine\"");
    refused("type: none\ndedupe: sometimes\n" + SINKS, ".dedupe", "\"sometimes\"", "{header:");
    refused("type: none\nsinks: http\n", ".sinks", "list");
    refused("none", "highwater.sources.a", "map");
  }

  @Test
  void aSecretOfTheWrongKindIsNotRepeated() {
    assertThatThrownBy(() -> one("type: github\nsecrets: {a: canary}\n" + SINKS))
        .isInstanceOf(SourceConfigurationException.class)
        .hasMessageContaining("highwater.sources.a.secrets")
        .hasMessageNotContaining("canary")
        .hasNoCause();
  }

  /** Each half would be a secret, and a shorter one. */
  @Test
  void aSecretWithACommaIsNotTakenApart() {
    assertThatThrownBy(() -> one("type: github\nsecrets: \"canary,b\"\n" + SINKS))
        .isInstanceOf(SourceConfigurationException.class)
        .hasMessageStartingWith("highwater.sources.a.secrets: has a comma")
        .hasMessageNotContaining("canary");
    String yaml = "type: github\nsecrets: [\"a,b\", c]\n" + SINKS;
    assertThat(sourceA(SourcesProperties.bind(environment(yaml(source(yaml))))).secrets())
        .containsExactly("a,b", "c");
    assertThat(one("type: github\nsecrets: whole\n" + SINKS)).isNotNull();
  }

  @Test
  void aSecretFromAVariableWithACommaIsNotTakenApartEither() {
    Map<String, Object> variables = Map.of("TEST_SECRET", "canary,b");
    assertThatThrownBy(
            () ->
                SourcesProperties.bind(
                    environment(
                        new SystemEnvironmentPropertySource("test-systemEnvironment", variables),
                        yaml(source("type: github\nsecrets: ${TEST_SECRET}\n" + SINKS)))))
        .isInstanceOf(SourceConfigurationException.class)
        .hasMessageStartingWith("highwater.sources.a.secrets: has a comma")
        .hasMessageNotContaining("canary");
  }

  @Test
  void printedPropertiesHoldNoSecret() {
    String yaml =
        """
        type: github
        secrets: [canary-1]
        sinks: [{name: out, type: http, secrets: [canary-2]}]
        """;
    SourcesProperties properties = SourcesProperties.bind(environment(yaml(source(yaml))));

    ConfiguredSources sources = ConfiguredSources.of(properties, false);
    assertThat(properties + " " + sources.all()).doesNotContain("canary");
  }

  private static void refused(String yaml, String... parts) {
    assertThatThrownBy(() -> one(yaml))
        .isInstanceOf(SourceConfigurationException.class)
        .hasMessageContainingAll(parts)
        .hasMessageNotContaining("\n");
  }

  private static Source one(String yaml) {
    return requireNonNull(load(source(yaml)).find("default", "a"));
  }

  private static SourceProperties sourceA(SourcesProperties properties) {
    return requireNonNull(properties.sources().get("a"));
  }

  private static String source(String yaml) {
    return "highwater:\n  sources:\n    a:\n" + yaml.stripIndent().indent(6);
  }

  private static ConfiguredSources load(String yaml) {
    return load(yaml(yaml));
  }

  private static ConfiguredSources load(PropertySource<?> source) {
    return ConfiguredSources.of(SourcesProperties.bind(environment(source)), false);
  }

  private static StandardEnvironment environment(PropertySource<?>... sources) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .forEach(s -> environment.getPropertySources().remove(s.getName()));
    for (PropertySource<?> source : sources) {
      environment.getPropertySources().addLast(source);
    }
    return environment;
  }

  private static PropertySource<?> yaml(String yaml) {
    try {
      var resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8));
      List<PropertySource<?>> loaded = new YamlPropertySourceLoader().load("yaml", resource);
      return loaded.isEmpty() ? new MapPropertySource("yaml", new HashMap<>()) : loaded.getFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
