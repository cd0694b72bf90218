package dev.highwater.ingest;

import dev.highwater.hook.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.HttpRequestHandler;

/** Answers whatever else is asked of the public port. */
final class NothingHere implements HttpRequestHandler {
  private final IngestObserver observer;

  NothingHere(IngestObserver observer) {
    this.observer = observer;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long start = System.nanoTime();
    Problem problem = Problem.of(ErrorCode.NOT_FOUND);
    problem.writeTo(response);
    observer.answered(null, problem.outcome(), 0, System.nanoTime() - start);
  }
}
