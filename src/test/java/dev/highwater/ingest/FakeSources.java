package dev.highwater.ingest;

import dev.highwater.handshake.HandshakeSettings;
import dev.highwater.handshake.Handshakes;
import dev.highwater.handshake.SourceHandshake;
import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.SourceRef;
import dev.highwater.hook.Verification;
import dev.highwater.signature.FailureReason;
import dev.highwater.signature.VerifiedRequest;
import dev.highwater.signature.Verifier;
import dev.highwater.source.AddressRange;
import dev.highwater.source.DedupeRule;
import dev.highwater.source.RateLimit;
import dev.highwater.source.RateLimits;
import dev.highwater.source.SinkDefinition;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import dev.highwater.source.SuccessAnswer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A handful of sources. */
final class FakeSources implements SourceDirectory {
  static final long LIMIT = 1 << 20;
  private static final Duration WINDOW = Duration.ofDays(3);

  private final Map<String, Source> sources = new TreeMap<>();

  FakeSources() {
    Verifier anyone =
        request -> new Verifier.Verified(new VerifiedRequest(request, Verification.NOT_CHECKED));
    Verifier signed =
        request -> {
          String signature = request.headers().first("x-signature");
          return signature == null
              ? new Verifier.Failed(FailureReason.MISSING_SIGNATURE)
              : signature.equals("good")
                  ? new Verifier.Verified(new VerifiedRequest(request, Verification.VERIFIED))
                  : new Verifier.Failed(FailureReason.NO_MATCH);
        };
    Verifier throwing =
        request -> {
          throw new IllegalStateException(
              "canary " + new String(request.body(), StandardCharsets.UTF_8));
        };
    DedupeRule byEventId =
        verified -> {
          String id = verified.request().headers().first("x-event-id");
          return id == null ? null : new DedupeKey(id.getBytes(StandardCharsets.UTF_8), WINDOW);
        };
    add("default", "open", anyone, DedupeRule.NONE, LIMIT, SuccessAnswer.USUAL, "POST");
    add("default", "signed", signed, byEventId, LIMIT, SuccessAnswer.USUAL, "POST");
    add("default", "held", signed.quarantining(), byEventId, LIMIT, SuccessAnswer.USUAL, "POST");
    add("default", "small", anyone, DedupeRule.NONE, 100, SuccessAnswer.USUAL, "POST");
    add("default", "large", anyone, DedupeRule.NONE, 16 << 20, SuccessAnswer.USUAL, "POST");
    add("default", "faulty", throwing, DedupeRule.NONE, LIMIT, SuccessAnswer.USUAL, "POST");
    add("default", "puts", anyone, DedupeRule.NONE, LIMIT, SuccessAnswer.USUAL, "POST", "PUT");
    add("acme", "shop", anyone, DedupeRule.NONE, LIMIT, SuccessAnswer.USUAL, "POST");
    var ok = new SuccessAnswer(200, "ok".getBytes(StandardCharsets.US_ASCII), "text/plain");
    add("default", "own-answer", anyone, DedupeRule.NONE, LIMIT, ok, "POST");
    add("default", "held-own-answer", signed.quarantining(), byEventId, LIMIT, ok, "POST");
    var nothing = new SuccessAnswer(204, null, "application/json");
    add("default", "no-content", anyone, DedupeRule.NONE, LIMIT, nothing, "POST");
    var empty = new SuccessAnswer(200, new byte[0], "text/plain");
    var elsewhere = List.of(AddressRange.parse("203.0.113.0/24"));
    add(
        "default",
        "walled",
        anyone,
        DedupeRule.NONE,
        LIMIT,
        SuccessAnswer.USUAL,
        elsewhere,
        RateLimits.NONE,
        "POST");
    // Refills by one hook a second of a clock that stands still.
    var two = new RateLimit(1, 0, Duration.ofSeconds(2));
    add(
        "default",
        "limited",
        signed,
        DedupeRule.NONE,
        LIMIT,
        SuccessAnswer.USUAL,
        List.of(),
        new RateLimits(null, two, null),
        "POST");
    add(
        "default",
        "limited-clients",
        signed,
        DedupeRule.NONE,
        LIMIT,
        SuccessAnswer.USUAL,
        List.of(),
        new RateLimits(null, null, two),
        "POST");
    add("default", "empty-answer", anyone, DedupeRule.NONE, LIMIT, empty, "POST");
    for (String type :
        List.of(
            "slack",
            "zoom",
            "meta",
            "discord",
            "intercom",
            "okta",
            "msgraph",
            "x",
            "dropbox",
            "cloudevents")) {
      asking(type, type, signed, true);
      asking("no-" + type, type, signed, false);
    }
    asking("flagging-slack", "slack", signed.flagging(), true);
    asking("flagging-zoom", "zoom", signed.flagging(), true);
  }

  /** A source whose provider asks before it sends hooks; its secret is {@code s3cret}. */
  private void asking(String name, String type, Verifier verifier, boolean answers) {
    var settings = new HandshakeSettings(answers, "s3cret", "t0ken", List.of("POST"));
    SourceHandshake handshake = SourceHandshake.of(Handshakes.of(type), settings);
    put(
        SourceRef.of(name),
        verifier,
        handshake,
        DedupeRule.NONE,
        LIMIT,
        SuccessAnswer.USUAL,
        List.of(),
        RateLimits.NONE);
  }

  private void add(
      String tenant,
      String name,
      Verifier verifier,
      DedupeRule dedupe,
      long maxBody,
      SuccessAnswer success,
      String... methods) {
    add(tenant, name, verifier, dedupe, maxBody, success, List.of(), RateLimits.NONE, methods);
  }

  private void add(
      String tenant,
      String name,
      Verifier verifier,
      DedupeRule dedupe,
      long maxBody,
      SuccessAnswer success,
      List<AddressRange> allowFrom,
      RateLimits limits,
      String... methods) {
    put(
        new SourceRef(tenant, name),
        verifier,
        SourceHandshake.NONE,
        dedupe,
        maxBody,
        success,
        allowFrom,
        limits,
        methods);
  }

  private void put(
      SourceRef ref,
      Verifier verifier,
      SourceHandshake handshake,
      DedupeRule dedupe,
      long maxBody,
      SuccessAnswer success,
      List<AddressRange> allowFrom,
      RateLimits limits,
      String... methods) {
    Set<String> taken = methods.length == 0 ? Set.of("POST") : Set.of(methods);
    var sinks =
        List.of(
            new SinkDefinition("first", "log", Map.of()),
            new SinkDefinition("second", "log", Map.of()));
    sources.put(
        ref.toString(),
        new Source(
            ref, "custom", verifier, handshake, dedupe, maxBody, taken, success, allowFrom, limits,
            sinks));
  }

  @Override
  public @Nullable Source find(String tenant, String name) {
    return sources.get(tenant + "/" + name);
  }

  @Override
  public Collection<Source> all() {
    return sources.values();
  }
}
