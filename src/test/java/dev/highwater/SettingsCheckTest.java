package dev.highwater;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

class SettingsCheckTest {
  private static final SettingNames KNOWN =
      KnownSettings.load(SettingsCheckTest.class.getClassLoader());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "highwater.sample.max-group",
        "highwater.sample.maxGroup",
        "highwater.sample.MAX_GROUP",
        "highwater.sample.commit-deadline",
        "highwater.sample.from",
        "highwater.sample.places.at-home.type",
        "highwater.sample.places.at-home.secrets",
        "highwater.sample.places.at-home.secrets[3]",
        "highwater.sample.places.at-home.ways[0].name",
        "highwater.sample.places.at-home.ways[0].detour.anything.at.all",
        "highwater.sample.labels.app.kubernetes.io",
        "highwater.sample.anything.one[0].two",
        "spring.application.name",
        "highwaters.max-group",
      })
  void aNameARoomDeclaresIsASetting(String name) {
    assertThat(unknownOnCommandLine(name)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "highwater.sample.max-gruop, highwater.sample.max-group",
    "highwater.sample.max-groups, highwater.sample.max-group",
    "highwater.smaple.max-group, highwater.sample",
    "highwater.sample.places.home.tpye, highwater.sample.places.home.type",
    "highwater.sample.places.home.ways[1].nmae, highwater.sample.places.home.ways[1].name",
    "highwater.sample.max-group.size, highwater.sample.max-group",
  })
  void aMisspeltNameIsRefusedWithTheOneThatWasMeant(String written, String meant) {
    assertThat(unknownOnCommandLine(written))
        .containsExactly(written + " (command line) is not a setting, did you mean " + meant + "?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "highwater.flux-capacitor",
        "highwater.sample.places.home.ways.first.name",
        "highwater.sample.origin"
      })
  void aNameLikeNoOtherIsRefusedWithoutAGuess(String name) {
    assertThat(unknownOnCommandLine(name))
        .containsExactly(name + " (command line) is not a setting");
  }

  @Test
  void theFileAndLineAreNamed() throws Exception {
    var yaml = "highwater:\n  sample:\n    places:\n      home: {tipe: x}\n";
    var environment = new StandardEnvironment();
    var resource =
        new ByteArrayResource(yaml.getBytes(UTF_8), "mine") {
          @Override
          public String getFilename() {
            return "highwater.yml";
          }
        };
    new YamlPropertySourceLoader()
        .load("mine", resource)
        .forEach(environment.getPropertySources()::addLast);

    assertThat(SettingsCheck.unknown(environment, KNOWN))
        .containsExactly(
            "highwater.sample.places.home.tipe (highwater.yml, line 4) is not a setting,"
                + " did you mean highwater.sample.places.home.type?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HIGHWATER_SAMPLE_MAXGROUP",
        "HIGHWATER_SAMPLE_MAX_GROUP",
        "highwater_sample_maxgroup",
        "HIGHWATER_SAMPLE_COMMITDEADLINE",
        "HIGHWATER_SAMPLE_PLACES_HOME_TYPE",
        "HIGHWATER_SAMPLE_PLACES_HOME_SECRETS_0",
        "HIGHWATER_SAMPLE_PLACES_HOME_WAYS_0_NAME",
        "HIGHWATER_SAMPLE_LABELS_A_B_C",
        "HIGHWATERMARK",
        "PATH",
      })
  void anEnvironmentVariableMayBeWrittenInEveryWaySpringBindsIt(String variable) {
    assertThat(unknownInEnvironment(Map.of(variable, "1"), Map.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "HIGHWATER_SAMPLE_MAXGRUOP, HIGHWATER_SAMPLE_MAXGROUP",
    "HIGHWATER_SAMPLE_MAX_GRUOP, HIGHWATER_SAMPLE_MAXGROUP",
    "HIGHWATER_SAMPLE_PLACES_HOME_TPYE, HIGHWATER_SAMPLE_PLACES_HOME_TYPE",
    "HIGHWATER_SAMPLE_PLACES_HOME_WAYS_0_NMAE, HIGHWATER_SAMPLE_PLACES_HOME_WAYS_0_NAME",
  })
  void aMisspeltEnvironmentVariableIsRefusedWithTheOneThatWasMeant(String written, String meant) {
    assertThat(unknownInEnvironment(Map.of(written, "1"), Map.of()))
        .containsExactly(
            "environment variable " + written + " is not a setting, did you mean " + meant + "?");
  }

  @Test
  void whatKubernetesPutsBesideAServiceOfThatNameIsNotASetting() {
    Map<String, Object> links = new LinkedHashMap<>();
    for (String service : List.of("HIGHWATER", "HIGHWATER_OPERATOR", "HIGHWATER_SAMPLE")) {
      links.put(service + "_SERVICE_HOST", "10.0.0.1");
      links.put(service + "_SERVICE_PORT", "8080");
      links.put(service + "_SERVICE_PORT_HOOKS", "8080");
      links.put(service + "_PORT", "tcp://10.0.0.1:8080");
      links.put(service + "_PORT_8080_TCP", "tcp://10.0.0.1:8080");
      links.put(service + "_PORT_8080_TCP_PROTO", "tcp");
      links.put(service + "_PORT_8080_TCP_PORT", "8080");
      links.put(service + "_PORT_8080_TCP_ADDR", "10.0.0.1");
    }

    assertThat(unknownInEnvironment(links, Map.of())).isEmpty();
  }

  @Test
  void aPortThatIsNoAddressWasMeantAsASetting() {
    assertThat(unknownInEnvironment(Map.of("HIGHWATER_PORT", "8080"), Map.of()))
        .containsExactly("environment variable HIGHWATER_PORT is not a setting");
  }

  @Test
  void aVariableThatASettingRefersToMayBeCalledAnything() {
    Map<String, Object> variables = Map.of("HIGHWATER_STRIPE_SECRET", "whsec_x");

    assertThat(unknownInEnvironment(variables, Map.of())).hasSize(1);
    assertThat(
            unknownInEnvironment(
                variables,
                Map.of("highwater.sample.places.x.secrets[0]", "${HIGHWATER_STRIPE_SECRET}")))
        .isEmpty();
  }

  private static List<String> unknownOnCommandLine(String name) {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("commandLineArgs", Map.of(name, "1")));
    return SettingsCheck.unknown(environment, KNOWN);
  }

  private static List<String> unknownInEnvironment(
      Map<String, Object> variables, Map<String, Object> properties) {
    var environment = new StandardEnvironment();
    var sources = environment.getPropertySources();
    sources.replace(
        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
        new SystemEnvironmentPropertySource(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
    sources.addFirst(new MapPropertySource("commandLineArgs", properties));
    return SettingsCheck.unknown(environment, KNOWN);
  }
}
