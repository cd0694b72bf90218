package dev.highwater.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.signature.Presets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/** What the pages say to copy can be started with, and no type is missing. */
class SourcesPagesTest {
  private static final Path SOURCES = Path.of("docs/sources.md");
  private static final Path CUSTOM = Path.of("docs/custom-schemes.md");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)}");
  private static final String PUBLIC_KEY =
      "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c";

  /** Variables whose secret is of a form of its own. */
  private static final Map<String, Object> SECRETS =
      Map.of(
          "EVENTS_WEBHOOK_SECRET",
          "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
          "ADYEN_HMAC_KEY",
          PUBLIC_KEY,
          "DISCORD_PUBLIC_KEY",
          PUBLIC_KEY,
          "METERS_PUBLIC_KEY",
          "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
          "SENDGRID_VERIFICATION_KEY",
          "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe6"
              + "2gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==");

  @Test
  void eachTypeHasItsHeading() throws IOException {
    String page = Files.readString(SOURCES);
    for (String type : Presets.types()) {
      boolean ofItsOwn =
          page.contains("\n### ") && page.matches("(?s).*\n### [^\n]*`" + type + "`.*");
      boolean withStandard = page.contains(" (`" + type + "`)");
      assertThat(ofItsOwn || withStandard).as(type).isTrue();
    }
  }

  @Test
  void eachBlockIsASourceOfItsType() throws IOException {
    Set<String> types = new HashSet<>();
    for (String block : blocks(SOURCES)) {
      types.addAll(load(block).all().stream().map(Source::type).toList());
    }
    Set<String> alike = Set.of("svix", "clerk", "resend", "openai");
    assertThat(types)
        .containsExactlyInAnyOrderElementsOf(
            Presets.types().stream().filter(type -> !alike.contains(type)).toList());
  }

  static List<ConfiguredSources> customExamples() throws IOException {
    List<ConfiguredSources> examples = new ArrayList<>();
    for (String block : blocks(CUSTOM)) {
      examples.add(load(block));
    }
    return examples;
  }

  /** The indented parts of a page that are a whole configuration. */
  private static List<String> blocks(Path page) throws IOException {
    List<String> blocks = new ArrayList<>();
    StringBuilder block = new StringBuilder();
    for (String line : (Files.readString(page) + "\nend").split("\n", -1)) {
      if (line.startsWith("    ")) {
        block.append(line.substring(4)).append('\n');
      } else if (!block.isEmpty()) {
        if (block.indexOf("highwater:\n") == 0) {
          blocks.add(block.toString());
        }
        block.setLength(0);
      }
    }
    return blocks;
  }

  private static ConfiguredSources load(String yaml) throws IOException {
    StandardEnvironment environment = new StandardEnvironment();
    Matcher variable = VARIABLE.matcher(yaml);
    while (variable.find()) {
      String name = variable.group(1);
      Object secret = SECRETS.getOrDefault(name, "s3cret");
      environment.getPropertySources().addLast(new MapPropertySource(name, Map.of(name, secret)));
    }
    var resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8));
    for (PropertySource<?> source : new YamlPropertySourceLoader().load("page", resource)) {
      environment.getPropertySources().addLast(source);
    }
    return ConfiguredSources.of(SourcesProperties.bind(environment), false);
  }
}
