package benchmark.server;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;

/** The handler of every row but Highwater's and the bare servlet. */
@Controller
final class Hooks {
  private final Journal journal;

  Hooks(Journal journal) {
    this.journal = journal;
  }

  @PostMapping("/webhooks/bench")
  void hook(HttpServletRequest request, HttpServletResponse response) throws Exception {
    byte[] body = request.getInputStream().readAllBytes();
    journal.keep(request.getHeader("x-github-delivery"), Journal.headersOf(request), body);
    Answer.send(response);
  }
}
