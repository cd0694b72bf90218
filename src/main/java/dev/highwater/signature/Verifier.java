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

  /** The same, but what fails is to wait in the pen instead of being refused. */
  default Verifier quarantining() {
    return new QuarantiningVerifier(this);
  }

  /** The check alone, whatever its source does with what fails: nothing that fails is verified. */
  default Verifier strict() {
    return this;
  }

  /** What came of it. */
  sealed interface Verdict permits Verified, Failed, Quarantined {}

  /** The request is who it says. */
  record Verified(VerifiedRequest request) implements Verdict {}

  /** It is not, or that cannot be told. */
  record Failed(FailureReason reason) implements Verdict {}

  /**
   * It is not, or that cannot be told, and its source keeps such requests for a person to look at.
   */
  record Quarantined(UnverifiedRequest request, FailureReason reason) implements Verdict {}
}
