package dev.highwater.ingest;

import dev.highwater.hook.Answer;
import dev.highwater.hook.ErrorCode;
import dev.highwater.signature.FailureReason;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A refusal, as a problem document of RFC 9457. Its text is ours alone: nothing of the request is
 * ever in it.
 *
 * @param code why
 * @param detail what the sender can do about it
 * @param member one more member of the document with its leading comma, or empty
 * @param header the name of one more header, or null
 * @param headerValue its value, or empty
 */
record Problem(
    ErrorCode code, String detail, String member, @Nullable String header, String headerValue)
    implements Reply {

  private static final Duration SOON = Duration.ofSeconds(1);

  static Problem of(ErrorCode code) {
    return switch (code.status()) {
      case 429, 503 -> retryable(code, SOON);
      default -> new Problem(code, advice(code), "", null, "");
    };
  }

  static Problem of(Answer.Refused refused) {
    return retryable(refused.code(), refused.retryAfter());
  }

  /**
   * @param methods what the source takes
   */
  static Problem methodNotAllowed(Collection<String> methods) {
    String allow = String.join(", ", methods.stream().sorted().toList());
    ErrorCode code = ErrorCode.METHOD_NOT_ALLOWED;
    return new Problem(code, "It takes: " + allow + ".", "", "Allow", allow);
  }

  /**
   * @param limit of the source, in bytes
   */
  static Problem tooLarge(long limit) {
    return new Problem(
        ErrorCode.PAYLOAD_TOO_LARGE,
        "The limit of this source is " + limit + " bytes.",
        ",\"limit\":" + limit,
        null,
        "");
  }

  static Problem unverified(FailureReason reason) {
    ErrorCode code = ErrorCode.VERIFICATION_FAILED;
    return new Problem(code, advice(code), ",\"reason\":\"" + reason.code() + "\"", null, "");
  }

  /**
   * @param after until the limit has room for it
   */
  static Problem rateLimited(Duration after) {
    return retryable(ErrorCode.RATE_LIMITED, after);
  }

  private static Problem retryable(ErrorCode code, Duration after) {
    long seconds = after.toSeconds() + (after.toNanosPart() > 0 ? 1 : 0);
    return new Problem(code, advice(code), "", "Retry-After", Long.toString(Math.max(1, seconds)));
  }

  @Override
  public String outcome() {
    return code.code();
  }

  @Override
  public void writeTo(HttpServletResponse response) throws IOException {
    if (header != null) {
      response.setHeader(header, headerValue);
    }
    Reply.send(
        response,
        code.status(),
        "application/problem+json",
        document().getBytes(StandardCharsets.US_ASCII));
  }

  /** No part of it needs escaping: they are all written here and in {@link ErrorCode}. */
  private String document() {
    return "{\"type\":\"urn:highwater:problem:"
        + code.code()
        + "\",\"title\":\""
        + code.title()
        + "\",\"status\":"
        + code.status()
        + ",\"code\":\""
        + code.code()
        + "\",\"detail\":\""
        + detail
        + "\""
        + member
        + "}";
  }

  private static String advice(ErrorCode code) {
    return switch (code) {
      case INVALID_HEADER -> "Header values may have the bytes 0x20 to 0x7E and TAB only.";
      case BODY_READ_FAILED -> "Nothing was stored. Send the whole request again.";
      case INVALID_ENCODING -> "Check the body against its Content-Encoding.";
      case BAD_REQUEST -> "Check the request line, the headers and the framing of the body.";
      case INVALID_HANDSHAKE -> "Send one challenge, printable and not longer than usual.";
      case VERIFICATION_FAILED -> "Check the secret and what exactly is signed.";
      case CLIENT_REFUSED -> "Ask the operator to add the address to the source's allow list.";
      case HANDSHAKE_REFUSED -> "Check the verify token, and whether the handshake is off.";
      case UNKNOWN_SOURCE, NOT_FOUND ->
          "Hooks go to /webhooks/{source} or /webhooks/{tenant}/{source}, spelt exactly so.";
      case METHOD_NOT_ALLOWED -> "Hooks are sent with POST.";
      case LENGTH_REQUIRED -> "Send a Content-Length or a chunked body.";
      case PAYLOAD_TOO_LARGE -> "Send less, or ask the operator to raise the source's limit.";
      case UNSUPPORTED_ENCODING -> "Content-Encoding may be gzip, deflate or identity.";
      case HEADERS_TOO_LARGE -> "Send fewer or shorter headers.";
      case RATE_LIMITED,
          INTERNAL,
          OVERLOAD,
          STORE_UNAVAILABLE,
          BACKLOG_FULL,
          QUARANTINE_FULL,
          DEAD_LETTERS_FULL,
          DRAINING ->
          "Send it again after the time in Retry-After.";
    };
  }
}
