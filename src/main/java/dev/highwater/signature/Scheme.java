package dev.highwater.signature;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way of signing, as data: the engine knows no provider.
 *
 * @param place where the signature stands; whether anything stands there decides whether a request
 *     is of this scheme
 * @param notation how it is written
 * @param checks the kinds of signature it takes, each with its own label
 * @param signed what is signed
 * @param timestamp when it was signed, or null where the scheme has no time
 */
public record Scheme(
    SignaturePlace place,
    Notation notation,
    List<Check> checks,
    Template signed,
    @Nullable Timestamp timestamp) {
  public Scheme {
    checks = List.copyOf(checks);
    if (checks.isEmpty()) {
      throw new IllegalArgumentException("a scheme has at least one check");
    }
  }

  /** The same with another tolerance; the same one where it has no timestamp. */
  Scheme within(Duration tolerance) {
    return timestamp == null
        ? this
        : new Scheme(place, notation, checks, signed, timestamp.within(tolerance));
  }
}
