package dev.highwater.signature;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** A secret that is hashed together with what is signed. */
final class PreparedDigest implements PreparedKey {
  private final String algorithm;
  private final byte[] secret;

  PreparedDigest(String algorithm, byte[] secret) throws NoSuchAlgorithmException {
    this.algorithm = MessageDigest.getInstance(algorithm).getAlgorithm();
    this.secret = secret;
  }

  @Override
  public boolean matches(List<Piece> signed, List<byte[]> candidates) {
    MessageDigest digest = newDigest();
    for (Piece piece : signed) {
      switch (piece) {
        case Piece.Bytes(byte[] bytes) -> digest.update(bytes);
        case Piece.OfSecret() -> digest.update(secret);
      }
    }
    byte[] expected = digest.digest();
    boolean match = false;
    for (byte[] candidate : candidates) {
      match |= MessageDigest.isEqual(expected, candidate);
    }
    return match;
  }

  private MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("it was there when the source was made", e);
    }
  }
}
