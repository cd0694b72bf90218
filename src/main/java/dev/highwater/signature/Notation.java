package dev.highwater.signature;

/** How a signature is written where it stands. */
public sealed interface Notation {

  /** Nothing but the signature, after a prefix that may be empty. */
  record Plain(String prefix) implements Notation {}

  /**
   * As in the header {@code Authorization}: the name of a scheme in any case (RFC 9110), spaces,
   * and the credentials.
   */
  record Credentials(String scheme) implements Notation {}

  /**
   * Entries of a label and a value. Labels that nobody asked for are passed over, so that a
   * provider can add some. Stripe: <code>t=…,v1=…,v1=…</code>; Standard Webhooks: <code>v1,… v1,…
   * </code>.
   *
   * @param separator between entries
   * @param assignment between label and value
   */
  record Entries(char separator, char assignment) implements Notation {}
}
