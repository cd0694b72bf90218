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
 * @param items the items of the body where each one is signed by itself: all that is said above is
 *     then said of an item as if it were the body, and every one must be signed. Null where the
 *     request is signed as a whole
 */
public record Scheme(
    SignaturePlace place,
    Notation notation,
    List<Check> checks,
    Template signed,
    @Nullable Timestamp timestamp,
    @Nullable JsonItems items) {
  public Scheme {
    checks = List.copyOf(checks);
    if (checks.isEmpty()) {
      throw new IllegalArgumentException("a scheme has at least one check");
    }
  }

  public Scheme(
      SignaturePlace place,
      Notation notation,
      List<Check> checks,
      Template signed,
      @Nullable Timestamp timestamp) {
    this(place, notation, checks, signed, timestamp, null);
  }

  /**
   * Whether a signature of this scheme stands in the request, well written or not. Of items that is
   * always said: what has none of them lacks its signature.
   */
  boolean isBroughtBy(UnverifiedRequest request) {
    if (items != null) {
      return true;
    }
    List<String> texts = place.texts(request);
    return texts == null || !texts.isEmpty();
  }

  /** The same with another tolerance; the same one where it has no timestamp. */
  Scheme within(Duration tolerance) {
    return timestamp == null
        ? this
        : new Scheme(place, notation, checks, signed, timestamp.within(tolerance), items);
  }
}
