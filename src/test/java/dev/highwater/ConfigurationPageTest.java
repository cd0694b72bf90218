package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page says what the program does: every setting has a row, with the default it really has. */
class ConfigurationPageTest {
  private static final Pattern ROW =
      Pattern.compile("\\| `(highwater\\.[^`]+)` \\| (?:`([^`]+)`)? ?\\|.*");

  @Test
  void everySettingStandsInThePageWithItsDefault() throws IOException {
    Map<String, String> inPage = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("docs/configuration.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        inPage.put(row.group(1), row.group(2) == null ? "" : row.group(2));
      }
    }
    assertThat(inPage).isEqualTo(inProgram());
  }

  private static Map<String, String> inProgram() throws IOException {
    Map<String, String> settings = new TreeMap<>();
    // The one of the program, not those of its libraries or of the tests.
    Path metadata = Path.of("target/classes/META-INF/spring-configuration-metadata.json");
    try (InputStream json = Files.newInputStream(metadata)) {
      for (JsonNode setting : JsonMapper.shared().readTree(json).get("properties")) {
        JsonNode usual = setting.get("defaultValue");
        settings.put(setting.get("name").asString(), usual == null ? "" : usual.asString());
      }
    }
    return settings;
  }
}
