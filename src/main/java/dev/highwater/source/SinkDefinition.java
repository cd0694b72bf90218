package dev.highwater.source;

import java.util.Map;

/**
 * A sink of a source, as configured. What the settings mean is known to the room of that type only.
 *
 * @param name unique in its source, follows the rule of names
 * @param type {@code http}, {@code log}, …
 * @param settings every other key, dotted and indexed as in a properties file ({@code secrets[0]});
 *     values may be secrets
 */
public record SinkDefinition(String name, String type, Map<String, String> settings) {
  /** Without the settings, which may be secrets (G12). */
  @Override
  public String toString() {
    return name + " (" + type + ")";
  }
}
