package dev.highwater.store;

/**
 * The store could not do what it was asked. After a failed write or sync it is unknown whether the
 * data reached the disk; the one who catches it must not guess (G6).
 */
public class StoreException extends Exception {
  private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
