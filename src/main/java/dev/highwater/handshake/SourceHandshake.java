package dev.highwater.handshake;

import dev.highwater.handshake.HandshakeOutcome.Answered;
import dev.highwater.handshake.HandshakeOutcome.Malformed;
import dev.highwater.handshake.HandshakeOutcome.NotOne;
import dev.highwater.handshake.HandshakeOutcome.Refused;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Verification;
import dev.highwater.signature.JsonField;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.VerifiedRequest;
import dev.highwater.signature.Verifier;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * The handshake of one source: what its provider asks, with what is needed to answer. Immutable:
 * any thread may call. No input makes it throw or takes more than linear time. Prints no secret
 * (G12).
 */
public final class SourceHandshake {
  /** Of a source whose provider asks nothing. */
  public static final SourceHandshake NONE =
      new SourceHandshake(
          new Handshake.None(), new HandshakeSettings(true, null, null, List.of("POST")));

  private static final NotOne NOT_ONE = new NotOne();
  private static final Refused REFUSED = new Refused();
  private static final Malformed MALFORMED = new Malformed();

  private final Handshake kind;
  private final HandshakeSettings settings;
  private final @Nullable ChallengeSigner signer;

  private SourceHandshake(Handshake kind, HandshakeSettings settings) {
    this.kind = kind;
    this.settings = settings;
    String secret = settings.newestSecret();
    this.signer = secret == null ? null : new ChallengeSigner(secret);
  }

  /**
   * The handshake of a source.
   *
   * @param kind its type's
   * @param settings its own
   */
  public static SourceHandshake of(Handshake kind, HandshakeSettings settings) {
    return new SourceHandshake(kind, settings);
  }

  /** The methods besides those of hooks with which it comes; none where it is refused. */
  public Set<String> methods() {
    return settings.answers() && kind instanceof Handshake.Open open
        ? Set.of(open.method())
        : Set.of();
  }

  /**
   * A verifier that takes nothing as signed that this handshake signs for anybody.
   *
   * @param strict the source's own
   */
  public Verifier guard(Verifier strict) {
    return settings.answers() && kind instanceof Handshake.SignParameter
        ? new GuardedVerifier(strict)
        : strict;
  }

  /**
   * What a request is by its method, query and headers. To be asked before the body is read.
   *
   * @param query as it was sent, or null
   */
  public HandshakeOutcome open(String method, @Nullable String query, Headers headers) {
    if (!(kind instanceof Handshake.Open open) || !open.method().equals(method)) {
      return NOT_ONE;
    }
    HandshakeOutcome outcome =
        switch (open) {
          case Handshake.Presence presence -> text("");
          case Handshake.EchoParameter(_, String name) -> {
            List<String> values = Query.values(query, name);
            yield values.isEmpty() ? NOT_ONE : echo(values);
          }
          case Handshake.EchoHeader(_, String name, String member) -> {
            List<String> values = headers.all(name);
            yield values.isEmpty()
                ? NOT_ONE
                : isOne(Form.TEXT, values)
                    ? json(jsonMember(member, values.getFirst()))
                    : MALFORMED;
          }
          case Handshake.Subscription subscription -> subscribe(subscription, query);
          case Handshake.SignParameter(_, String name, String member, String prefix) -> {
            List<String> values = Query.values(query, name);
            yield values.isEmpty()
                ? NOT_ONE
                : isOne(Form.TOKEN, values)
                    ? json(jsonMember(member, prefix + base64(values.getFirst())))
                    : MALFORMED;
          }
          case Handshake.AllowOrigin(_, String name) -> {
            List<String> values = headers.all(name);
            yield values.isEmpty()
                ? NOT_ONE
                : isOne(Form.ORIGIN, values) ? allow(values.getFirst()) : MALFORMED;
          }
        };
    return settings.answers() || outcome instanceof NotOne ? outcome : REFUSED;
  }

  /**
   * Whether a POST with that body says that it is a handshake. A cheap look for when hooks are not
   * taken: what it says is believed only once it is {@linkplain #signed verified}.
   */
  public boolean announces(byte[] body) {
    return kind instanceof Handshake.Signed signed && isAnnounced(signed, body);
  }

  /** Whether a POST can be a handshake by its body. */
  public boolean isSigned() {
    return kind instanceof Handshake.Signed;
  }

  /**
   * What a request is by its body. One that was not verified, although its source takes it, is a
   * hook: nothing is signed or said for a forger.
   */
  public HandshakeOutcome signed(VerifiedRequest verified) {
    byte[] body = verified.request().body();
    if (!(kind instanceof Handshake.Signed signed)
        || verified.verification() != Verification.VERIFIED
        || !isPost(verified.request())
        || !isAnnounced(signed, body)) {
      return NOT_ONE;
    }
    if (!settings.answers()) {
      return REFUSED;
    }
    return switch (signed) {
      case Handshake.EchoField(_, _, JsonField challenge) -> {
        String text = challenge.read(body);
        yield text == null ? MALFORMED : echo(List.of(text));
      }
      case Handshake.SignField(_, _, JsonField token, String plain, String encrypted) -> {
        String text = token.read(body);
        yield text == null || !Form.TOKEN.fits(text)
            ? MALFORMED
            : json(jsonMember(plain, text) + "," + jsonMember(encrypted, hex(text)));
      }
      case Handshake.Ping(JsonField number, String silent, String spoken, _) ->
          silent.equals(number.read(body))
              ? new Answered(204, Map.of(), "application/json", new byte[0])
              : json("\"" + number + "\":" + spoken);
    };
  }

  private static boolean isPost(UnverifiedRequest request) {
    return request.method().equals("POST");
  }

  private static boolean isAnnounced(Handshake.Signed signed, byte[] body) {
    return switch (signed) {
      case Handshake.EchoField echo -> echo.value().equals(echo.kind().read(body));
      case Handshake.SignField sign -> sign.value().equals(sign.kind().read(body));
      case Handshake.Ping ping -> {
        String number = ping.kind().read(body);
        yield ping.silent().equals(number)
            || (ping.spoken().equals(number) && ping.hook().read(body) == null);
      }
    };
  }

  private HandshakeOutcome subscribe(Handshake.Subscription subscription, @Nullable String query) {
    String token = settings.verifyToken();
    List<String> tokens = Query.values(query, subscription.token());
    boolean known =
        token != null
            && tokens.size() == 1
            && MessageDigest.isEqual(utf8(token), utf8(tokens.getFirst()));
    boolean subscribes =
        Query.values(query, subscription.mode()).equals(List.of("subscribe")) && known;
    return subscribes ? echo(Query.values(query, subscription.challenge())) : REFUSED;
  }

  private HandshakeOutcome allow(String origin) {
    return new Answered(
        200,
        Map.of(
            "WebHook-Allowed-Origin",
            origin,
            "WebHook-Allowed-Rate",
            "*",
            "Allow",
            String.join(", ", settings.methods())),
        "text/plain",
        new byte[0]);
  }

  private static HandshakeOutcome echo(List<String> values) {
    return isOne(Form.TEXT, values) ? text(values.getFirst()) : MALFORMED;
  }

  private static boolean isOne(Form form, List<String> values) {
    return values.size() == 1 && form.fits(values.getFirst());
  }

  private static Answered text(String text) {
    return new Answered(200, Map.of(), "text/plain", utf8(text));
  }

  private static Answered json(String members) {
    return new Answered(200, Map.of(), "application/json", utf8("{" + members + "}"));
  }

  private static String jsonMember(String name, String value) {
    String quoted = new String(JsonStringEncoder.getInstance().quoteAsCharArray(value));
    return "\"" + name + "\":\"" + quoted + "\"";
  }

  private String base64(String token) {
    return Base64.getEncoder().encodeToString(signatureOf(token));
  }

  private String hex(String token) {
    return HexFormat.of().formatHex(signatureOf(token));
  }

  private byte[] signatureOf(String token) {
    if (signer == null) {
      throw new IllegalStateException("a source that signs has a secret");
    }
    return signer.sign(token);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What it is and whether it is answered; nothing that is a secret (G12). */
  @Override
  public String toString() {
    return kind.getClass().getSimpleName() + ", " + settings;
  }
}
