package dev.highwater.codec;

/**
 * A stored key or value does not decode: it is damaged, or of a version this program does not know.
 * It is an error of that row alone; its neighbours are not affected (G8).
 */
public final class UnreadableValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnreadableValueException(String message) {
    super(message);
  }
}
