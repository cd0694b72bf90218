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
record HighwaterProperties(@DefaultValue("data") Path dataDir) {}
