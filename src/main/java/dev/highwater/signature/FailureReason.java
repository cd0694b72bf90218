package dev.highwater.signature;

/** Why a verification failed: a closed list, so that an answer tells a forger no more than that. */
public enum FailureReason {
  MISSING_SIGNATURE("missing_signature"),
  MALFORMED_SIGNATURE("malformed_signature"),
  NO_MATCH("no_match"),
  TIMESTAMP_OUT_OF_TOLERANCE("timestamp_out_of_tolerance");

  private final String code;

  FailureReason(String code) {
    this.code = code;
  }

  /** As it stands in the answer and in metrics. */
  public String code() {
    return code;
  }
}
