package dev.highwater.handshake;

import java.util.Map;

/** What a request turned out to be. */
public sealed interface HandshakeOutcome {

  /** No handshake: it goes the way of every request. */
  record NotOne() implements HandshakeOutcome {}

  /**
   * A handshake, to be answered so.
   *
   * @param status 200 or 204
   * @param headers besides those of every answer
   * @param contentType of the body, also where that is empty
   * @param body its bytes; nobody writes to them
   */
  record Answered(int status, Map<String, String> headers, String contentType, byte[] body)
      implements HandshakeOutcome {
    /** Sizes only (G12). */
    @Override
    public String toString() {
      return status + " with a body of " + body.length + " bytes";
    }
  }

  /** A handshake of somebody who may not have one, or of a source that is told to have none. */
  record Refused() implements HandshakeOutcome {}

  /** A handshake whose challenge is missing, repeated, too long or not of its provider's form. */
  record Malformed() implements HandshakeOutcome {}
}
