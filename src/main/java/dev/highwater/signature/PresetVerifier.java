package dev.highwater.signature;

import dev.highwater.hook.Verification;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks a request by the first scheme whose signature it brings. */
final class PresetVerifier implements Verifier {
  /** One way of signing, and what checks it. */
  record Way(Preset.Variant variant, SchemeVerifier verifier) {}

  private final List<Way> ways;

  PresetVerifier(List<Way> ways) {
    this.ways = List.copyOf(ways);
  }

  @Override
  public Verdict verify(UnverifiedRequest request) {
    FailureReason reason = check(request);
    return reason == null
        ? new Verified(new VerifiedRequest(request, Verification.VERIFIED))
        : new Failed(reason);
  }

  private @Nullable FailureReason check(UnverifiedRequest request) {
    boolean signed = false;
    for (Way way : ways) {
      if (way.variant().isOf(request)) {
        return way.verifier().check(request);
      }
      signed |= way.variant().scheme().isBroughtBy(request);
    }
    return signed ? FailureReason.MALFORMED_SIGNATURE : FailureReason.MISSING_SIGNATURE;
  }
}
