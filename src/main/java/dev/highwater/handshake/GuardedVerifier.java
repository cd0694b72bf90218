package dev.highwater.handshake;

import dev.highwater.signature.FailureReason;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.Verifier;

/**
 * Takes no hook whose body the handshake would have signed for anybody: its signature proves
 * nothing.
 */
final class GuardedVerifier implements Verifier {
  private final Verifier verifier;

  GuardedVerifier(Verifier verifier) {
    this.verifier = verifier;
  }

  @Override
  public Verdict verify(UnverifiedRequest request) {
    Verdict verdict = verifier.verify(request);
    return verdict instanceof Verified && Form.TOKEN.fits(request.body())
        ? new Failed(FailureReason.NO_MATCH)
        : verdict;
  }
}
