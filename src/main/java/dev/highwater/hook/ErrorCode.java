package dev.highwater.hook;

/**
 * Every reason for which a request to a hook path is refused, with the status it is answered with.
 * The code is stable: scripts may rely on it. What is our own trouble is a 503, since some
 * providers do not retry a 4xx.
 */
public enum ErrorCode {
  INVALID_HEADER("invalid_header", 400, "A header has a byte outside the printable ASCII range."),
  BODY_READ_FAILED(
      "body_read_failed", 400, "The body ended early, came too slowly or was not readable."),
  INVALID_ENCODING(
      "invalid_encoding", 400, "The body does not decode as its Content-Encoding says."),
  BAD_REQUEST("bad_request", 400, "The request is not valid HTTP."),
  INVALID_HANDSHAKE(
      "invalid_handshake", 400, "The challenge of this handshake is not of its provider's form."),
  VERIFICATION_FAILED(
      "verification_failed", 401, "The request is not signed as this source requires."),
  CLIENT_REFUSED("client_refused", 403, "This source takes nothing from this address."),
  HANDSHAKE_REFUSED("handshake_refused", 403, "This source does not answer this handshake."),
  UNKNOWN_SOURCE("unknown_source", 404, "There is no such source."),
  NOT_FOUND("not_found", 404, "There is nothing at this path."),
  METHOD_NOT_ALLOWED("method_not_allowed", 405, "This source does not take this method."),
  LENGTH_REQUIRED("length_required", 411, "The request must say how long its body is."),
  PAYLOAD_TOO_LARGE("payload_too_large", 413, "The body is larger than this source takes."),
  UNSUPPORTED_ENCODING(
      "unsupported_encoding", 415, "The Content-Encoding of the body is not supported."),
  RATE_LIMITED("rate_limited", 429, "Too many requests for this source."),
  HEADERS_TOO_LARGE("headers_too_large", 431, "The headers are too large."),
  INTERNAL("internal_error", 503, "The request could not be handled; it was not stored."),
  OVERLOAD("overload", 503, "Too much is waiting to be stored; the request was not stored."),
  STORE_UNAVAILABLE(
      "store_unavailable", 503, "The store cannot write; the request was not stored."),
  BACKLOG_FULL(
      "backlog_full",
      503,
      "Too much of this source waits for delivery; the request was not stored."),
  QUARANTINE_FULL("quarantine_full", 503, "The quarantine of this source is full."),
  DEAD_LETTERS_FULL("dead_letters_full", 503, "The dead letters of this source are full."),
  DRAINING("draining", 503, "The service is stopping; the request was not stored.");

  private final String code;
  private final int status;
  private final String title;

  ErrorCode(String code, int status, String title) {
    this.code = code;
    this.status = status;
    this.title = title;
  }

  public String code() {
    return code;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** One sentence for a person. */
  public String title() {
    return title;
  }
}
