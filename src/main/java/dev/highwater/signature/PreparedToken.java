package dev.highwater.signature;

import java.security.MessageDigest;
import java.util.List;

/** A secret that is sent as it is. */
final class PreparedToken implements PreparedKey {
  private final byte[] token;

  PreparedToken(byte[] token) {
    this.token = token;
  }

  @Override
  public boolean matches(List<Piece> signed, List<byte[]> candidates) {
    boolean match = false;
    for (byte[] candidate : candidates) {
      match |= MessageDigest.isEqual(token, candidate);
    }
    return match;
  }
}
