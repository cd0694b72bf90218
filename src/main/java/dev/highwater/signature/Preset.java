package dev.highwater.signature;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a provider: how it signs, and where its event ids are.
 *
 * @param type the name it has in the configuration
 * @param variants the ways it signs, in order; a request is of the first one whose signature it
 *     brings. None: nothing is checked
 * @param key where the event id is in a request of no variant, that is where nothing is checked
 */
public record Preset(String type, List<Variant> variants, EventKey key) {

  /**
   * One way of signing. The key belongs to it: an id is only taken from where this way signs it, so
   * that nobody can slip another one in beside it.
   *
   * @param when what else a request of this way has
   */
  public record Variant(Scheme scheme, EventKey key, Condition when) {
    public Variant(Scheme scheme, EventKey key) {
      this(scheme, key, new Condition.Always());
    }

    boolean isOf(UnverifiedRequest request) {
      return scheme.isBroughtBy(request) && when.holds(request);
    }
  }

  public Preset {
    variants = List.copyOf(variants);
  }

  /** Whether requests are checked at all; if not, there can be no secrets. */
  public boolean verifies() {
    return !variants.isEmpty();
  }

  /** Whether there is a timestamp that a tolerance could be for. */
  public boolean hasTimestamp() {
    return variants.stream().anyMatch(variant -> variant.scheme().timestamp() != null);
  }

  /** Whether the source must say by which URL it is called. */
  public boolean needsUrl() {
    return variants.stream().anyMatch(variant -> variant.scheme().signed().needsUrl());
  }

  /** Where the event id of that request is. */
  public EventKey keyOf(UnverifiedRequest request) {
    for (Variant variant : variants) {
      if (variant.isOf(request)) {
        return variant.key();
      }
    }
    return key;
  }

  /**
   * The verifier of a source.
   *
   * @param secrets newest first; every one is tried. Empty if and only if nothing is checked
   * @param tolerance instead of the provider's own, or null
   * @param externalUrl the URL the provider calls, or null where none is {@linkplain #needsUrl
   *     needed}
   * @throws UnusableSecretException if a secret is not one of this provider
   */
  public Verifier verifier(
      List<String> secrets, @Nullable Duration tolerance, @Nullable URI externalUrl) {
    if (verifies() == secrets.isEmpty()) {
      throw new IllegalArgumentException("secrets are for what verifies, and only for that");
    }
    if (!verifies()) {
      return new UncheckedVerifier();
    }
    List<PresetVerifier.Way> ways = new ArrayList<>();
    boolean[] usable = new boolean[secrets.size()];
    for (Variant variant : variants) {
      Scheme scheme = tolerance == null ? variant.scheme() : variant.scheme().within(tolerance);
      ways.add(
          new PresetVerifier.Way(
              variant, new SchemeVerifier(scheme, Keys.of(scheme, secrets, usable), externalUrl)));
    }
    for (int i = 0; i < usable.length; i++) {
      if (!usable[i]) {
        throw new UnusableSecretException(i, Keys.expected(variants));
      }
    }
    return new PresetVerifier(ways);
  }
}
