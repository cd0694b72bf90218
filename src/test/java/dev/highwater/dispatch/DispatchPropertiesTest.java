package dev.highwater.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

class DispatchPropertiesTest {
  private static DispatchProperties bind(String... keysAndValues) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put("highwater.dispatch." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return new Binder(new MapConfigurationPropertySource(map))
        .bindOrCreate("highwater.dispatch", DispatchProperties.class);
  }

  @Test
  void withoutSettingsEveryBoundHasItsDefault() {
    assertThat(bind()).isEqualTo(DispatchProperties.usual());
  }

  @Test
  void everyKeyIsTaken() {
    assertThat(
            bind(
                "slots",
                "8",
                "per-sink",
                "2",
                "max-rows",
                "100",
                "max-bytes",
                "4MB",
                "max-backlog",
                "7",
                "max-backlog-bytes",
                "2GB"))
        .isEqualTo(
            new DispatchProperties(8, 2, 100, DataSize.ofMegabytes(4), 7, DataSize.ofGigabytes(2)));
  }

  @Test
  void bodiesTakeNoMoreThanTheirPartOfTheHeap() {
    assertThat(bind().within(256L << 20).maxBytes()).isEqualTo(DataSize.ofMegabytes(16));
    assertThat(bind().within(8L << 30)).isEqualTo(bind());
    assertThat(bind("max-backlog-bytes", "1GB").within(1).maxBacklogBytes())
        .isEqualTo(DataSize.ofGigabytes(1));
    assertThat(bind("max-bytes", "4MB").within(256L << 20)).isEqualTo(bind("max-bytes", "4MB"));
    assertThat(bind().within(1).maxBytes()).isEqualTo(DataSize.ofMegabytes(1));
  }

  @ParameterizedTest
  @CsvSource({
    "slots, 0",
    "slots, 4097",
    "per-sink, 0",
    "per-sink, 4097",
    "max-rows, 63",
    "max-rows, 65537",
    "max-bytes, 1KB",
    "max-backlog, 0",
    "max-backlog-bytes, 1KB"
  })
  void aBoundThatMakesNoSenseIsRefusedByItsName(String key, String value) {
    assertThatThrownBy(() -> bind(key, value))
        .rootCause()
        .hasMessageContaining("highwater.dispatch." + key);
  }
}
