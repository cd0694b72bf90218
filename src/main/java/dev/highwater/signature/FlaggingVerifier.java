package dev.highwater.signature;

import dev.highwater.hook.Verification;

/** Takes in what fails, marked as failed. */
final class FlaggingVerifier implements Verifier {
  private final Verifier strict;

  FlaggingVerifier(Verifier strict) {
    this.strict = strict;
  }

  @Override
  public Verdict verify(UnverifiedRequest request) {
    return switch (strict.verify(request)) {
      case Verified verified -> verified;
      case Failed failed -> new Verified(new VerifiedRequest(request, Verification.FAILED));
      case Quarantined quarantined -> quarantined;
    };
  }

  @Override
  public Verifier strict() {
    return strict;
  }
}
