package dev.highwater;

/**
 * The configuration holds something no setting is made of. The message is one line for its author.
 */
final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SettingsException(String message) {
    super(message);
  }
}
