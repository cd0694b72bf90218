package dev.highwater.ingest;

import dev.highwater.hook.ErrorCode;
import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.bind.annotation.RestController;

/**
 * The address of hooks. Finds the source, lets {@link Reception} take the request in and sends the
 * reply. Each request has a virtual thread of its own, which waits for the fsync that covers its
 * hook.
 *
 * <p>Reads the request URI as it was sent and writes bytes: nothing the framework would decode,
 * parse or negotiate comes between. For the same reason {@link PublicPaths} maps it and no
 * annotation does: annotated mappings leave {@code OPTIONS} and a browser's preflight to the
 * framework.
 */
@RestController
final class HookController implements HttpRequestHandler {
  private static final Logger log = LoggerFactory.getLogger(HookController.class);

  private final SourceDirectory sources;
  private final Reception reception;
  private final HookIds ids;
  private final InstantSource clock;
  private final IngestObserver observer;

  HookController(
      SourceDirectory sources,
      Reception reception,
      HookIds ids,
      InstantSource clock,
      IngestObserver observer) {
    this.sources = sources;
    this.reception = reception;
    this.ids = ids;
    this.clock = clock;
    this.observer = observer;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response) {
    long start = System.nanoTime();
    Source source = sourceOf(request);
    Reception.Result result =
        source == null
            ? new Reception.Result(Problem.of(ErrorCode.UNKNOWN_SOURCE))
            : receive(source, request);
    Reply reply = result.reply();
    String outcome = reply.outcome();
    if (reply instanceof Problem problem) {
      ProblemReportValve.remember(request, problem);
    }
    try {
      reply.writeTo(response);
    } catch (IOException e) {
      log.debug("A client left before it was told {}", outcome);
    }
    observer.answered(
        source == null ? null : source.ref(),
        outcome,
        result.bodyBytes(),
        System.nanoTime() - start);
  }

  private @Nullable Source sourceOf(HttpServletRequest request) {
    SourceRef ref = HookPath.parse(request.getRequestURI());
    return ref == null ? null : sources.find(ref.tenant(), ref.name());
  }

  /** Our own trouble is a 503 and never a 500. */
  private Reception.Result receive(Source source, HttpServletRequest request) {
    long receivedAt = clock.millis();
    HookId id = ids.next(receivedAt);
    try {
      return reception.receive(source, id, receivedAt, request);
    } catch (Throwable e) {
      // Without the message, which may quote what was received (G12).
      StackTraceElement[] trace = e.getStackTrace();
      log.error(
          "Hook {} of {} could not be handled: {} at {}",
          id,
          source.ref(),
          e.getClass().getName(),
          trace.length == 0 ? "an unknown place" : trace[0]);
      return new Reception.Result(Problem.of(ErrorCode.INTERNAL));
    }
  }
}
