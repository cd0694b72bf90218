package dev.highwater.security;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;

/**
 * Says what the server itself refuses (a broken request line, headers that are too large) as a
 * problem document like everything else that is refused here: no page, no trace, no version.
 */
final class RefusalValve extends ErrorReportValve {
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
    try {
      Refusal.ofServer(status).writeTo(response);
    } catch (IOException e) {
      container.getLogger().debug("A client left before it was told " + status);
    }
  }
}
