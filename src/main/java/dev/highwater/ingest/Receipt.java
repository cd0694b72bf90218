package dev.highwater.ingest;

import dev.highwater.hook.Answer;
import dev.highwater.source.SuccessAnswer;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Says that a hook is safe on disk, or that a request is which waits in the pen. That one is told
 * with 202 in the place of 201. A source's own answer is the same for both: its provider expects
 * nothing else, and a forger learns nothing from it.
 *
 * @param accepted what the queue said
 * @param form how its source wants that put
 */
record Receipt(Answer.Accepted accepted, SuccessAnswer form) implements Reply {

  @Override
  public String outcome() {
    return switch (accepted) {
      case Answer.Stored stored -> "accepted";
      case Answer.Duplicate duplicate -> "duplicate";
      case Answer.Quarantined quarantined -> "quarantined";
    };
  }

  @Override
  public void writeTo(HttpServletResponse response) throws IOException {
    String id = accepted.id().toString();
    response.setHeader("webhook-id", id);
    byte[] body = form.body();
    if (body == null) {
      String json = "{\"id\":\"" + id + "\",\"status\":\"" + outcome() + "\"}";
      Reply.send(response, status(), "application/json", json.getBytes(StandardCharsets.US_ASCII));
    } else {
      Reply.send(response, form.status(), form.contentType(), body);
    }
  }

  private int status() {
    boolean usual = form.status() == SuccessAnswer.USUAL.status();
    return usual && accepted instanceof Answer.Quarantined
        ? HttpServletResponse.SC_ACCEPTED
        : form.status();
  }
}
