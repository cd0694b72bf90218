package dev.highwater.ingest;

import dev.highwater.hook.Answer;
import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.ErrorCode;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.Verification;
import dev.highwater.queue.HookIntake;
import dev.highwater.queue.IntakeRoom;
import dev.highwater.queue.SinkIds;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.Verifier;
import dev.highwater.source.AddressRange;
import dev.highwater.source.SinkDefinition;
import dev.highwater.source.Source;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a request of a known source. The order is fixed, and whatever can be refused
 * unread is: method, declared length, header bytes, client address, a handshake that its headers
 * tell, content encoding, whether the queue takes anything and has room; then the body is read and
 * counted as it arrives; then it is verified, looked at whether it is a handshake and whether it
 * inflates as it says, its dedupe key and its rate are taken, it is handed to the queue and waited
 * for. What fails verification leaves a trace only where its source keeps it: in the pen, which has
 * a bound of its own (G11).
 *
 * <p>A handshake needs no store, so it is answered while the queue takes nothing, too: a short body
 * that may be one is counted with the queue only once it is known to be none.
 *
 * <p>If the process dies before the answer, the hook is either durable, and the provider's retry is
 * a duplicate of it where the source has dedupe keys, or it is not there. If the client goes before
 * the answer, the same holds: a hook that was handed over whole is stored, a body that ended early
 * never is.
 */
final class Reception {
  /** What an array can hold, whatever a source allows. */
  private static final long LARGEST_BODY = Integer.MAX_VALUE - 64L;

  private final IntakeRoom room;
  private final HookIntake intake;
  private final SinkIds sinkIds;
  private final BodyReader bodies;
  private final ClientAddresses clients;
  private final RateLimiter limiter;
  private final IngestObserver observer;

  Reception(
      IntakeRoom room,
      HookIntake intake,
      SinkIds sinkIds,
      BodyReader bodies,
      ClientAddresses clients,
      RateLimiter limiter,
      IngestObserver observer) {
    this.room = room;
    this.intake = intake;
    this.sinkIds = sinkIds;
    this.bodies = bodies;
    this.clients = clients;
    this.limiter = limiter;
    this.observer = observer;
  }

  /** How far a request has come. */
  sealed interface Progress permits Result, HandedOver {}

  /**
   * The queue has it. Holds nothing of the request, and so does no frame that waits here: its bytes
   * are given back to the budget with the answer, and a thread that was answered may not run for a
   * long time.
   */
  record HandedOver(CompletableFuture<Answer> answer, long bodyBytes) implements Progress {}

  /**
   * What a request came to.
   *
   * @param reply to be sent
   * @param bodyBytes how much of the body was received whole; 0 where it was refused before its end
   */
  record Result(Reply reply, long bodyBytes) implements Progress {
    Result(Reply reply) {
      this(reply, 0);
    }
  }

  /**
   * Takes the request in, or not. Waits as long as the commit takes: one that has started is never
   * abandoned.
   *
   * @param id of the hook it becomes
   * @param receivedAt the wall clock at its arrival, Unix milliseconds
   */
  Result receive(Source source, HookId id, long receivedAt, HttpServletRequest request)
      throws IOException {
    String method = request.getMethod();
    Set<String> handshakes = source.handshake().methods();
    if (!source.methods().contains(method) && !handshakes.contains(method)) {
      return new Result(notAllowed(source));
    }
    long limit = limitOf(source);
    if (request.getContentLengthLong() > limit) {
      return new Result(Problem.tooLarge(limit));
    }
    Headers headers = RawRequest.headers(request);
    if (headers == null) {
      return new Result(Problem.of(ErrorCode.INVALID_HEADER));
    }
    InetAddress client = clientOf(source, request, headers);
    if (!source.allowFrom().isEmpty()
        && (client == null || !AddressRange.anyContains(source.allowFrom(), client))) {
      return new Result(Problem.of(ErrorCode.CLIENT_REFUSED));
    }
    Reply open =
        HandshakeReply.to(source.handshake().open(method, request.getQueryString(), headers));
    if (open != null) {
      return new Result(open);
    }
    if (!source.methods().contains(method)) {
      return new Result(notAllowed(source));
    }
    ContentEncoding encoding = ContentEncoding.of(headers);
    if (encoding == null) {
      return new Result(Problem.of(ErrorCode.UNSUPPORTED_ENCODING));
    }
    Answer.Refused refusal = intake.refusal();
    if (refusal != null) {
      return handshakeOr(Problem.of(refusal), source, receivedAt, request, headers);
    }
    IntakeRoom.Permit permit = room.enter(source.ref().tenant());
    if (permit == null) {
      return handshakeOr(Problem.of(ErrorCode.OVERLOAD), source, receivedAt, request, headers);
    }
    return switch (receiveBody(
        source, id, receivedAt, request, headers, client, encoding, permit)) {
      case Result refused -> refused;
      case HandedOver(var answer, long bodyBytes) ->
          new Result(replyTo(answer.join(), source), bodyBytes);
    };
  }

  /**
   * What is left of a request while hooks are not taken. Only of a source whose provider asks in a
   * body is one looked at, and only if it is short; it is verified only if it says that it asks.
   */
  private Result handshakeOr(
      Problem refusal, Source source, long receivedAt, HttpServletRequest request, Headers headers)
      throws IOException {
    if (!mayAsk(source, request)) {
      return new Result(refusal);
    }
    long length = request.getContentLengthLong();
    try (var permit = new HandshakePermit()) {
      if (bodies.read(request.getInputStream(), length, length, permit)
          instanceof ReceivedBody.Complete(byte[] body)) {
        Reply reply =
            source.handshake().announces(body)
                ? handshakeOf(
                    source.verifier().verify(unverified(request, headers, body, receivedAt)),
                    source)
                : null;
        return new Result(reply == null ? refusal : reply, body.length);
      }
      return new Result(refusal);
    }
  }

  /** Null where it is none, or not known to be its provider's. */
  private static @Nullable Reply handshakeOf(Verifier.Verdict verdict, Source source) {
    return verdict instanceof Verifier.Verified(var verified)
        ? HandshakeReply.to(source.handshake().signed(verified))
        : null;
  }

  /** Whether a body is looked at for a handshake before it is counted with the queue. */
  private static boolean mayAsk(Source source, HttpServletRequest request) {
    long length = request.getContentLengthLong();
    return source.handshake().isSigned() && length >= 0 && length <= HandshakePermit.MOST;
  }

  private static UnverifiedRequest unverified(
      HttpServletRequest request, Headers headers, byte[] body, long receivedAt) {
    return new UnverifiedRequest(request.getMethod(), targetOf(request), headers, body, receivedAt);
  }

  private static Problem notAllowed(Source source) {
    Set<String> allowed = new TreeSet<>(source.methods());
    allowed.addAll(source.handshake().methods());
    return Problem.methodNotAllowed(allowed);
  }

  /** The second half: what happens while the request holds a permit. */
  private Progress receiveBody(
      Source source,
      HookId id,
      long receivedAt,
      HttpServletRequest request,
      Headers headers,
      @Nullable InetAddress client,
      ContentEncoding encoding,
      IntakeRoom.Permit permit)
      throws IOException {
    long limit = limitOf(source);
    boolean mayAsk = mayAsk(source, request);
    boolean handedOver = false;
    try {
      return switch (bodies.read(
          request.getInputStream(),
          request.getContentLengthLong(),
          limit,
          mayAsk ? new HandshakePermit() : permit)) {
        case ReceivedBody.TooLarge() -> new Result(Problem.tooLarge(limit));
        case ReceivedBody.NoRoom() -> new Result(Problem.of(ErrorCode.OVERLOAD));
        case ReceivedBody.Broken() -> new Result(Problem.of(ErrorCode.BODY_READ_FAILED));
        case ReceivedBody.Complete(byte[] body) -> {
          Verifier.Verdict verdict =
              source.verifier().verify(unverified(request, headers, body, receivedAt));
          Reply handshake = handshakeOf(verdict, source);
          if (handshake != null) {
            yield new Result(handshake, body.length);
          }
          if (mayAsk && !permit.grow(body.length)) {
            yield new Result(Problem.of(ErrorCode.OVERLOAD), body.length);
          }
          yield switch (verdict) {
            case Verifier.Failed(var reason) -> {
              observer.verificationFailed(source.ref(), reason);
              yield new Result(Problem.unverified(reason), body.length);
            }
            case Verifier.Quarantined(var held, var reason) -> {
              observer.verificationFailed(source.ref(), reason);
              // Not inflated, and no key is looked for: it is not known whose it is (G11).
              Hook.Content content =
                  contentOf(
                      source, id, held, Verification.FAILED, addressOf(client, request), null);
              handedOver = true;
              yield new HandedOver(intake.quarantine(content, reason.code(), permit), body.length);
            }
            case Verifier.Verified(var verified) -> {
              // After verification: inflating costs more than a forger may make us spend (G11).
              if (!encoding.isOf(body, limit)) {
                yield new Result(Problem.of(ErrorCode.INVALID_ENCODING), body.length);
              }
              Duration wait = limiter.take(source, client, body.length);
              if (wait != null) {
                yield new Result(Problem.rateLimited(wait), body.length);
              }
              Hook.Content content =
                  contentOf(
                      source,
                      id,
                      verified.request(),
                      verified.verification(),
                      addressOf(client, request),
                      source.dedupe().keyOf(verified));
              int[] sinks = sinksOf(source);
              // From here the queue closes it, also if this thread fails.
              handedOver = true;
              yield new HandedOver(intake.submit(content, sinks, permit), body.length);
            }
          };
        }
      };
    } finally {
      if (!handedOver) {
        permit.close();
      }
    }
  }

  private static String addressOf(@Nullable InetAddress client, HttpServletRequest request) {
    return client == null ? request.getRemoteAddr() : client.getHostAddress();
  }

  /** Null where nobody asks, too: most sources have no rule about it. */
  private @Nullable InetAddress clientOf(
      Source source, HttpServletRequest request, Headers headers) {
    boolean asks =
        clients.trustsAnybody()
            || !source.allowFrom().isEmpty()
            || source.rateLimits().client() != null;
    return asks ? clients.clientOf(request.getRemoteAddr(), headers) : null;
  }

  private static long limitOf(Source source) {
    return Math.min(source.maxBody(), LARGEST_BODY);
  }

  private static Hook.Content contentOf(
      Source source,
      HookId id,
      UnverifiedRequest request,
      Verification verification,
      String client,
      @Nullable DedupeKey dedupe) {
    return new Hook.Content(
        id,
        source.ref(),
        request.method(),
        request.target(),
        request.headers(),
        request.body(),
        request.receivedAt(),
        verification,
        client,
        dedupe);
  }

  private int[] sinksOf(Source source) {
    List<SinkDefinition> sinks = source.sinks();
    int[] numbers = new int[sinks.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = sinkIds.idOf(source.ref(), sinks.get(i).name());
    }
    return numbers;
  }

  private static Reply replyTo(Answer answer, Source source) {
    return switch (answer) {
      case Answer.Accepted accepted -> new Receipt(accepted, source.success());
      case Answer.Refused refused -> Problem.of(refused);
    };
  }

  private static String targetOf(HttpServletRequest request) {
    String query = request.getQueryString();
    return query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
  }
}
