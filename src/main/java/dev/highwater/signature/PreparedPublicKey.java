package dev.highwater.signature;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;

/**
 * A public key. The JDK's Ed25519 gathers what it is fed before it checks, so this one costs a copy
 * of the body for each candidate; {@link Algorithm#mostCandidates} keeps that small.
 */
final class PreparedPublicKey implements PreparedKey {
  private static final int ED25519_LENGTH = 32;

  /** What stands before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
  private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private final String algorithm;
  private final PublicKey key;

  private PreparedPublicKey(String algorithm, PublicKey key) throws GeneralSecurityException {
    this.algorithm = algorithm;
    this.key = key;
    newSignature(); // a key that is no point of the curve shows here, not at the first hook
  }

  static PreparedPublicKey of(String keyAlgorithm, String algorithm, byte[] keyInfo)
      throws GeneralSecurityException {
    PublicKey key =
        KeyFactory.getInstance(keyAlgorithm).generatePublic(new X509EncodedKeySpec(keyInfo));
    return new PreparedPublicKey(algorithm, key);
  }

  static PreparedPublicKey ed25519(byte[] key) throws GeneralSecurityException {
    if (key.length != ED25519_LENGTH) {
      return of("Ed25519", "Ed25519", key);
    }
    byte[] keyInfo = new byte[ED25519_PREFIX.length + key.length];
    System.arraycopy(ED25519_PREFIX, 0, keyInfo, 0, ED25519_PREFIX.length);
    System.arraycopy(key, 0, keyInfo, ED25519_PREFIX.length, key.length);
    return of("Ed25519", "Ed25519", keyInfo);
  }

  @Override
  public boolean matches(List<Piece> signed, List<byte[]> candidates) {
    for (byte[] candidate : candidates) {
      if (matches(signed, candidate)) {
        return true;
      }
    }
    return false;
  }

  private boolean matches(List<Piece> signed, byte[] candidate) {
    Signature signature;
    try {
      signature = newSignature();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key was good when the source was made", e);
    }
    try {
      for (Piece piece : signed) {
        if (piece instanceof Piece.Bytes(byte[] bytes)) {
          signature.update(bytes);
        }
      }
      return signature.verify(candidate);
    } catch (SignatureException notEvenASignature) {
      return false;
    }
  }

  private Signature newSignature() throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm);
    signature.initVerify(key);
    return signature;
  }
}
