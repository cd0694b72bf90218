package dev.highwater.ingest;

import dev.highwater.handshake.HandshakeOutcome;
import dev.highwater.hook.ErrorCode;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a provider is told that asks about a URL. Nothing is stored for it. */
record HandshakeReply(HandshakeOutcome.Answered answer) implements Reply {

  /** The reply to a handshake; null where the request is none. */
  static @Nullable Reply to(HandshakeOutcome outcome) {
    return switch (outcome) {
      case HandshakeOutcome.NotOne() -> null;
      case HandshakeOutcome.Answered answered -> new HandshakeReply(answered);
      case HandshakeOutcome.Refused() -> Problem.of(ErrorCode.HANDSHAKE_REFUSED);
      case HandshakeOutcome.Malformed() -> Problem.of(ErrorCode.INVALID_HANDSHAKE);
    };
  }

  @Override
  public String outcome() {
    return "handshake";
  }

  @Override
  public void writeTo(HttpServletResponse response) throws IOException {
    answer.headers().forEach(response::setHeader);
    // Also where there is no body: some providers look for it.
    response.setContentType(answer.contentType());
    Reply.send(response, answer.status(), answer.contentType(), answer.body());
  }
}
