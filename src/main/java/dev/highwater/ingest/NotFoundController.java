package dev.highwater.ingest;

import dev.highwater.hook.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Whatever else is asked of the public port is not there. Stands in for the framework's own error
 * page as well, which would negotiate the form of its answer.
 */
@RestController
final class NotFoundController implements ErrorController {
  private final IngestObserver observer;

  NotFoundController(IngestObserver observer) {
    this.observer = observer;
  }

  @RequestMapping("/**")
  void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    long start = System.nanoTime();
    Problem problem = Problem.of(ErrorCode.NOT_FOUND);
    problem.writeTo(response);
    observer.answered(null, problem.outcome(), 0, System.nanoTime() - start);
  }
}
