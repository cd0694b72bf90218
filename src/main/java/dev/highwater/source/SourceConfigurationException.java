package dev.highwater.source;

import org.jspecify.annotations.Nullable;

/**
 * A mistake in the configuration of a source. The message is one line for a person: the key, what
 * is wrong with it, and what would be right. It never holds a secret (G12).
 */
public final class SourceConfigurationException extends RuntimeException {
  private final String key;

  public SourceConfigurationException(String key, String problem) {
    this(key, problem, null);
  }

  public SourceConfigurationException(String key, String problem, @Nullable Throwable cause) {
    super(key + ": " + problem, cause);
    this.key = key;
  }

  /** The full key, as in a properties file. */
  public String key() {
    return key;
  }
}
