package dev.highwater.signature;

import dev.highwater.hook.Verification;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks a request by the first scheme whose signature it brings. */
final class PresetVerifier implements Verifier {
  private final List<SchemeVerifier> schemes;

  PresetVerifier(List<SchemeVerifier> schemes) {
    this.schemes = List.copyOf(schemes);
  }

  @Override
  public Verdict verify(UnverifiedRequest request) {
    FailureReason reason = check(request);
    return reason == null
        ? new Verified(new VerifiedRequest(request, Verification.VERIFIED))
        : new Failed(reason);
  }

  private @Nullable FailureReason check(UnverifiedRequest request) {
    for (SchemeVerifier scheme : schemes) {
      if (Preset.isOf(scheme.scheme(), request)) {
        return scheme.check(request);
      }
    }
    return FailureReason.MISSING_SIGNATURE;
  }
}
