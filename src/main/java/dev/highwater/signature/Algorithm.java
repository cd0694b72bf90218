package dev.highwater.signature;

import java.security.GeneralSecurityException;

/** What turns the signed bytes and a key into a signature, or checks one. */
public enum Algorithm {
  HMAC_SHA1(32),
  HMAC_SHA256(32),
  HMAC_SHA512(32),
  /** A plain digest; the template says where in the signed bytes the secret stands. */
  SHA256(32),
  /** No signing: what is sent must equal the secret. */
  TOKEN(32),
  /** The key is public: 32 raw bytes, or a SubjectPublicKeyInfo. */
  ED25519(4),
  /** The key is public: a SubjectPublicKeyInfo. The signature is DER. */
  ECDSA_P256(4),
  /** The key is public: a SubjectPublicKeyInfo. */
  RSA_SHA1(4),
  /** The key is public: a SubjectPublicKeyInfo. */
  RSA_SHA256(4);

  private final int mostCandidates;

  Algorithm(int mostCandidates) {
    this.mostCandidates = mostCandidates;
  }

  /**
   * How many signatures of this kind one request may bring. An HMAC is computed once however many
   * there are; a public-key check costs its full price for each, and the sender chooses how many.
   */
  int mostCandidates() {
    return mostCandidates;
  }

  /**
   * A key made ready, for any number of threads.
   *
   * @throws GeneralSecurityException if these bytes are not a key of this algorithm
   */
  PreparedKey prepare(byte[] key) throws GeneralSecurityException {
    return switch (this) {
      case HMAC_SHA1 -> PreparedMac.of("HmacSHA1", key);
      case HMAC_SHA256 -> PreparedMac.of("HmacSHA256", key);
      case HMAC_SHA512 -> PreparedMac.of("HmacSHA512", key);
      case SHA256 -> new PreparedDigest("SHA-256", key);
      case TOKEN -> new PreparedToken(key);
      case ED25519 -> PreparedPublicKey.ed25519(key);
      case ECDSA_P256 -> PreparedPublicKey.of("EC", "SHA256withECDSA", key);
      case RSA_SHA1 -> PreparedPublicKey.of("RSA", "SHA1withRSA", key);
      case RSA_SHA256 -> PreparedPublicKey.of("RSA", "SHA256withRSA", key);
    };
  }
}
