package dev.highwater.signature;

/**
 * Checks who sent a request. Immutable: any thread may call. No input makes it throw or takes more
 * than linear time.
 */
public interface Verifier {
  Verdict verify(UnverifiedRequest request);

  /** The same, but what fails is taken in and marked {@code FAILED} instead of refused. */
  default Verifier flagging() {
    return new FlaggingVerifier(this);
  }

  /** What came of it. */
  sealed interface Verdict permits Verified, Failed {}

  /** The request is who it says. */
  record Verified(VerifiedRequest request) implements Verdict {}

  /** It is not, or that cannot be told. */
  record Failed(FailureReason reason) implements Verdict {}
}
