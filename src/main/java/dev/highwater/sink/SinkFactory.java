package dev.highwater.sink;

import dev.highwater.hook.SourceRef;
import java.util.Map;

/** Makes the sinks of one type. One bean per transport. */
public interface SinkFactory {
  /** The {@code type} in the configuration. */
  String type();

  /**
   * Makes a sink; connects to nothing.
   *
   * @param source whose sink it is
   * @param name of the sink
   * @param settings every key but name and type, dotted and indexed as in a properties file
   * @throws IllegalArgumentException if a setting is unknown, missing or wrong; the message names
   *     the key, never a secret value
   */
  Sink create(SourceRef source, String name, Map<String, String> settings);
}
