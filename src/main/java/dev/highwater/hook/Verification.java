package dev.highwater.hook;

/** What is known of who sent a hook. The {@code code} is stored and shown; it never changes. */
public enum Verification {
  /** A signature or credential was checked and is right. */
  VERIFIED((byte) 1, "verified"),
  /** The source checks nothing. */
  NOT_CHECKED((byte) 2, "not-checked"),
  /** It failed, and the source's policy is to take it in and say so. */
  FAILED((byte) 3, "failed");

  private final byte code;
  private final String text;

  Verification(byte code, String text) {
    this.code = code;
    this.text = text;
  }

  public byte code() {
    return code;
  }

  /** As it stands in headers and in the API. */
  public String text() {
    return text;
  }

  /**
   * The value with that code.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Verification ofCode(byte code) {
    for (Verification value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new IllegalArgumentException("no verification result has the code " + code);
  }
}
