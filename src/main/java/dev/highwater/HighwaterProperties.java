package dev.highwater;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What belongs to no room.
 *
 * @param dataDir where the store and the small files beside it are; made when it is not there
 */
@ConfigurationProperties("highwater")
record HighwaterProperties(@DefaultValue("data") Path dataDir) {
  HighwaterProperties {
    // An empty path is the directory one happens to be in: a variable that was not set would look
    // like a store that has lost everything.
    if (dataDir.toString().isBlank()) {
      throw new IllegalArgumentException("highwater.data-dir must be a directory, not empty");
    }
  }
}
