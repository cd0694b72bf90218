package benchmark.server;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;

/** Row a: a Spring MVC handler that reads and answers. */
@Controller
final class BareHooks {
  @PostMapping("/webhooks/bench")
  void hook(HttpServletRequest request, HttpServletResponse response) throws IOException {
    request.getInputStream().readAllBytes();
    Answer.send(response);
  }
}
