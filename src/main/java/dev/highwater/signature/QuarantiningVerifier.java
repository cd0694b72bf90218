package dev.highwater.signature;

/** Has what fails kept in the pen. */
final class QuarantiningVerifier implements Verifier {
  private final Verifier strict;

  QuarantiningVerifier(Verifier strict) {
    this.strict = strict;
  }

  @Override
  public Verdict verify(UnverifiedRequest request) {
    return switch (strict.verify(request)) {
      case Failed(var reason) -> new Quarantined(request, reason);
      case Verified verified -> verified;
      case Quarantined quarantined -> quarantined;
    };
  }

  @Override
  public Verifier strict() {
    return strict;
  }
}
