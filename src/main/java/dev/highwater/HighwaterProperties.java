package dev.highwater;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What belongs to no room.
 *
 * @param dataDir where the store and the small files beside it are; made when it is not there. Text
 *     and not a path, because an empty text would be bound as no path at all, and then be the
 *     default: a variable that was not set would look like a store that has lost everything
 */
@ConfigurationProperties("highwater")
record HighwaterProperties(@DefaultValue("data") String dataDir) {
  HighwaterProperties {
    if (dataDir.isBlank()) {
      throw new IllegalArgumentException("highwater.data-dir must be a directory, not empty");
    }
  }

  Path directory() {
    return Path.of(dataDir);
  }
}
