package dev.highwater.signature;

import java.util.List;

/** One secret, ready to check with. Any thread may call. Prints no key. */
interface PreparedKey {
  /**
   * Whether one of the candidates is the signature of these bytes. Every comparison takes the same
   * time wherever the first difference is.
   *
   * @param signed what is signed, in pieces, so that a body is never copied to join it
   * @param candidates decoded signatures, of any length
   */
  boolean matches(List<Piece> signed, List<byte[]> candidates);
}
