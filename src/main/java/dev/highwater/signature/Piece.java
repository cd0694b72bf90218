package dev.highwater.signature;

/** A piece of what is signed. */
sealed interface Piece {
  /** Bytes of the request or of the template; shared, nobody writes to them. */
  record Bytes(byte[] bytes) implements Piece {}

  /** Here stands the secret that is being tried. */
  record OfSecret() implements Piece {}
}
