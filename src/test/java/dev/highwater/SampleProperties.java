package dev.highwater;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/** Settings as a room would declare them, with every shape there is. */
@ConfigurationProperties("highwater.sample")
record SampleProperties(
    @DefaultValue("256") int maxGroup,
    @DefaultValue("1s") Duration commitDeadline,
    @Nullable Mode mode,
    @Nullable String secret,
    @Nullable @Name("from") String origin,
    @Nullable Map<String, Place> places,
    @Nullable Map<String, String> labels,
    @Nullable Map<String, Object> anything) {

  SampleProperties {
    if (maxGroup < 1 || maxGroup > 4096) {
      throw new IllegalArgumentException(
          "highwater.sample.max-group must be 1 to 4096, not " + maxGroup);
    }
  }

  enum Mode {
    REJECT,
    LET_THROUGH
  }

  record Place(String type, @Nullable List<String> secrets, @Nullable List<Way> ways) {}

  record Way(String name, @Nullable Place detour) {}
}
