package dev.highwater.store;

/**
 * The store is being reopened or is closed: nothing was read and nothing was written. Trying again
 * later is right.
 */
public final class StoreUnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message) {
    super(message);
  }
}
