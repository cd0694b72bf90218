package dev.highwater.signature;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The digest of a body that stands in the query. */
final class BodyDigests {
  private BodyDigests() {}

  /** Whether that parameter is there once and is the SHA-256 of the body in hex. */
  static boolean isIn(UnverifiedRequest request, String parameter) {
    List<String> values = QueryParameters.all(request.target(), parameter);
    byte @Nullable [] sent = values.size() == 1 ? Encoding.HEX.decode(values.getFirst()) : null;
    return sent != null && MessageDigest.isEqual(sha256(request.body()), sent);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
