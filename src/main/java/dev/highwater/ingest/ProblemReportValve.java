package dev.highwater.ingest;

import dev.highwater.hook.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;

/**
 * Says what the server itself refuses (a broken request line, headers that are too large, a method
 * it does not serve) as a problem document too: no page, no trace, no version. Its statuses are
 * brought down to those a provider may meet.
 *
 * <p>After a body that could not be read the server takes the response away from whoever was
 * reading. Then this says what they would have said.
 */
final class ProblemReportValve extends ErrorReportValve {
  private static final String ATTRIBUTE = "dev.highwater.ingest.problem";

  /** Leaves the answer to {@code request} here, for the case that it cannot be given directly. */
  static void remember(HttpServletRequest request, Problem problem) {
    request.setAttribute(ATTRIBUTE, problem);
  }

  @Override
  protected void report(Request request, Response response, @Nullable Throwable throwable) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    AtomicBoolean canWrite = new AtomicBoolean();
    response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, canWrite);
    if (!canWrite.get()) {
      return;
    }
    Problem problem =
        request.getAttribute(ATTRIBUTE) instanceof Problem known
            ? known
            : Problem.of(codeOf(status));
    try {
      problem.writeTo(response);
    } catch (IOException e) {
      container.getLogger().debug("A client left before it was told " + status);
    }
  }

  private static ErrorCode codeOf(int status) {
    return switch (status) {
      case 404 -> ErrorCode.NOT_FOUND;
      case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
      case 408 -> ErrorCode.BODY_READ_FAILED;
      case 411 -> ErrorCode.LENGTH_REQUIRED;
      case 413 -> ErrorCode.PAYLOAD_TOO_LARGE;
      case 431 -> ErrorCode.HEADERS_TOO_LARGE;
      case 503 -> ErrorCode.DRAINING;
      // What it cannot parse, a transfer coding or an HTTP version it does not know.
      case 501, 505 -> ErrorCode.BAD_REQUEST;
      default -> status < 500 ? ErrorCode.BAD_REQUEST : ErrorCode.INTERNAL;
    };
  }
}
