package dev.highwater.ingest;

import dev.highwater.hook.SourceRef;
import dev.highwater.signature.FailureReason;
import org.jspecify.annotations.Nullable;

/**
 * Is told how requests on the public port end. Called on the thread of the request: it must return
 * at once and must not throw. Every argument comes from a closed set or from the configuration, so
 * that traffic alone never makes a new series (G11).
 */
public interface IngestObserver {
  /** Looks away. */
  IngestObserver NONE =
      new IngestObserver() {
        @Override
        public void answered(
            @Nullable SourceRef source, String outcome, long bodyBytes, long nanos) {}

        @Override
        public void verificationFailed(SourceRef source, FailureReason reason) {}
      };

  /**
   * A request was answered. An accepted one is durable by then (G2).
   *
   * @param source a configured source, or null where the request named none
   * @param outcome {@code accepted}, {@code duplicate}, {@code quarantined}, {@code handshake} or
   *     the code of an {@link dev.highwater.hook.ErrorCode}
   * @param bodyBytes how much of the body was received, 0 where it was refused unread
   * @param nanos from the arrival of the headers to the answer
   */
  void answered(@Nullable SourceRef source, String outcome, long bodyBytes, long nanos);

  /**
   * The sender of a request could not be verified: it is refused, or goes into the pen. {@link
   * #answered} follows.
   *
   * @param source a configured source
   * @param reason why
   */
  void verificationFailed(SourceRef source, FailureReason reason);
}
