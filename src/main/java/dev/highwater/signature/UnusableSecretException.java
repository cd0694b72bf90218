package dev.highwater.signature;

/** A secret that is not a key of its provider. Names its place and what was expected, never it. */
public final class UnusableSecretException extends RuntimeException {
  private final int index;

  UnusableSecretException(int index, String expected) {
    super("is not a secret of this type: it must be " + expected + ", and not zeros only");
    this.index = index;
  }

  /** Which one of the secrets, from 0. */
  public int index() {
    return index;
  }
}
