package dev.highwater.source;

import dev.highwater.handshake.SourceHandshake;
import dev.highwater.hook.SourceRef;
import dev.highwater.signature.EventKey;
import dev.highwater.signature.Preset;
import dev.highwater.signature.Presets;
import dev.highwater.signature.UnusableSecretException;
import dev.highwater.signature.Verifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeTypeUtils;
import org.springframework.util.unit.DataSize;

/** Makes a source of what is configured, or says which key is wrong. */
final class SourceFactory {
  private static final int MOST_SECRETS = 8;
  private static final int MOST_RANGES = 256;
  private static final Duration WINDOW = Duration.ofDays(3);
  private static final DataSize LARGEST_BODY = DataSize.ofMegabytes(64);
  private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final SinkDefinitions sinks;

  SourceFactory(boolean allowLogOnly) {
    this.sinks = new SinkDefinitions(allowLogOnly);
  }

  /**
   * A source.
   *
   * @param key its full key in the configuration
   * @throws SourceConfigurationException at the first mistake
   */
  Source create(
      String key, SourceRef ref, SourceProperties properties, @Nullable RateLimit ofTenant) {
    Preset preset = preset(key, properties);
    List<String> secrets = secrets(key + ".secrets", preset, properties.secrets());
    Set<String> methods = methods(key + ".methods", properties.methods());
    SourceHandshake handshake =
        HandshakeFactory.create(key, preset.type(), properties, secrets, methods);
    return new Source(
        ref,
        preset.type(),
        verifier(key, preset, properties, secrets, handshake),
        handshake,
        dedupe(key + ".dedupe", preset, properties.dedupe()),
        maxBody(key + ".max-body", properties.maxBody()),
        methods,
        success(key + ".response", preset.type(), properties.response()),
        allowFrom(key + ".allow-from", properties.allowFrom()),
        new RateLimits(
            ofTenant,
            RateLimitProperties.of(key + ".rate-limit", properties.rateLimit()),
            RateLimitProperties.of(key + ".client-rate-limit", properties.clientRateLimit())),
        sinks.of(key + ".sinks", properties.sinks()));
  }

  private static Preset preset(String key, SourceProperties properties) {
    String type = properties.type();
    if (CustomScheme.TYPE.equals(type)) {
      return CustomScheme.of(key + ".scheme", properties.scheme());
    }
    if (properties.scheme() != null) {
      throw new SourceConfigurationException(
          key + ".scheme", "is for the type custom; remove it or use that type");
    }
    Preset preset = type == null ? null : Presets.of(type);
    if (preset == null) {
      throw new SourceConfigurationException(
          key + ".type",
          (type == null || type.isEmpty() ? "is missing" : "\"" + type + "\" is not known")
              + "; use one of "
              + String.join(", ", Presets.types())
              + ", or custom");
    }
    return preset;
  }

  private static Verifier verifier(
      String key,
      Preset preset,
      SourceProperties properties,
      List<String> secrets,
      SourceHandshake handshake) {
    Duration tolerance = tolerance(key + ".tolerance", preset, properties.tolerance());
    URI externalUrl = externalUrl(key + ".external-url", preset, properties.externalUrl());
    UnaryOperator<Verifier> onFailure = onFailure(key + ".on-failure", properties.onFailure());
    try {
      Verifier strict = handshake.guard(preset.verifier(secrets, tolerance, externalUrl));
      return ProviderManners.mustRefuseForgeries(preset.type()) ? strict : onFailure.apply(strict);
    } catch (UnusableSecretException e) {
      throw new SourceConfigurationException(
          key + ".secrets[" + e.index() + "]", String.valueOf(e.getMessage()), e);
    }
  }

  private static List<String> secrets(String key, Preset preset, List<String> configured) {
    if (!preset.verifies() && !configured.isEmpty()) {
      throw new SourceConfigurationException(
          key, "the type " + preset.type() + " checks nothing; remove them or use another type");
    }
    if (preset.verifies() && configured.isEmpty()) {
      throw new SourceConfigurationException(
          key, "the type " + preset.type() + " needs 1 to " + MOST_SECRETS + " secrets");
    }
    if (configured.size() > MOST_SECRETS) {
      throw new SourceConfigurationException(
          key, "has " + configured.size() + " secrets; at most " + MOST_SECRETS + " are tried");
    }
    List<String> secrets = new ArrayList<>();
    for (int i = 0; i < configured.size(); i++) {
      secrets.add(SecretReader.read(key + "[" + i + "]", configured.get(i)));
    }
    return secrets;
  }

  private static @Nullable Duration tolerance(
      String key, Preset preset, @Nullable Duration tolerance) {
    if (tolerance == null) {
      return null;
    }
    if (!preset.hasTimestamp()) {
      throw new SourceConfigurationException(
          key, "the type " + preset.type() + " signs no time; remove it");
    }
    requireTolerance(key, tolerance);
    return tolerance;
  }

  static void requireTolerance(String key, Duration tolerance) {
    if (tolerance.compareTo(Duration.ofSeconds(1)) < 0
        || tolerance.compareTo(Duration.ofDays(1)) > 0) {
      throw new SourceConfigurationException(
          key, "must be 1s to 24h, not " + tolerance.toMillis() + "ms");
    }
  }

  private static @Nullable URI externalUrl(String key, Preset preset, @Nullable String text) {
    if (text == null || text.isEmpty()) {
      if (preset.needsUrl()) {
        throw new SourceConfigurationException(
            key, "is missing: the type " + preset.type() + " signs the URL it calls");
      }
      return null;
    }
    try {
      URI url = new URI(text);
      String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
      if ((scheme.equals("https") || scheme.equals("http")) && url.getHost() != null) {
        return url;
      }
    } catch (URISyntaxException e) {
      throw new SourceConfigurationException(key, notAUrl(text), e);
    }
    throw new SourceConfigurationException(key, notAUrl(text));
  }

  private static String notAUrl(String text) {
    return "\"" + text + "\" is not a full URL such as https://hooks.example.com/webhooks/name";
  }

  private static UnaryOperator<Verifier> onFailure(String key, String policy) {
    return switch (policy) {
      case "reject" -> strict -> strict;
      case "flag" -> Verifier::flagging;
      case "quarantine" -> Verifier::quarantining;
      default ->
          throw new SourceConfigurationException(
              key, "\"" + policy + "\" is not known; use reject, quarantine or flag");
    };
  }

  private static DedupeRule dedupe(
      String key, Preset preset, @Nullable DedupeProperties properties) {
    if (properties == null) {
      return new EventKeyRule(preset::keyOf, WINDOW);
    }
    Duration window = properties.window() == null ? WINDOW : properties.window();
    if (window.isZero()) {
      return DedupeRule.NONE;
    }
    if (window.compareTo(Duration.ofMillis(1)) < 0 || window.compareTo(Duration.ofDays(365)) > 0) {
      throw new SourceConfigurationException(
          key + ".window",
          "must be at most 365d and at least 1ms, or 0 for none, not " + window.toSeconds() + "s");
    }
    List<EventKey> keys = new ArrayList<>();
    if (properties.header() != null) {
      keys.add(EventKeys.header(key + ".header", properties.header()));
    }
    if (properties.body() != null) {
      keys.add(EventKeys.field(key + ".body", properties.body()));
    }
    if (properties.join() != null) {
      keys.add(EventKeys.join(key + ".join", properties.join()));
    }
    if (keys.size() > 1) {
      throw new SourceConfigurationException(key, "has several of header, body and join; use join");
    }
    if (keys.isEmpty()) {
      return new EventKeyRule(preset::keyOf, window);
    }
    EventKey only = keys.getFirst();
    return new EventKeyRule(request -> only, window);
  }

  private static long maxBody(String key, DataSize size) {
    if (size.toBytes() < 1 || size.compareTo(LARGEST_BODY) > 0) {
      throw new SourceConfigurationException(key, "must be 1B to 64MB, not " + size);
    }
    return size.toBytes();
  }

  private static Set<String> methods(String key, List<String> configured) {
    Set<String> methods = new LinkedHashSet<>();
    for (int i = 0; i < configured.size(); i++) {
      String method = configured.get(i);
      String upper = method.toUpperCase(Locale.ROOT);
      if (!METHODS.contains(upper)) {
        throw new SourceConfigurationException(
            key + "[" + i + "]", "\"" + method + "\" is wrong; use POST, PUT, PATCH or DELETE");
      }
      methods.add(upper);
    }
    if (methods.isEmpty()) {
      throw new SourceConfigurationException(key, "is empty; remove it for POST");
    }
    return Set.copyOf(methods);
  }

  private static List<AddressRange> allowFrom(String key, List<String> configured) {
    if (configured.size() > MOST_RANGES) {
      throw new SourceConfigurationException(
          key, "has " + configured.size() + " ranges; at most " + MOST_RANGES + " are looked at");
    }
    List<AddressRange> ranges = new ArrayList<>();
    for (int i = 0; i < configured.size(); i++) {
      try {
        ranges.add(AddressRange.parse(configured.get(i)));
      } catch (IllegalArgumentException e) {
        throw new SourceConfigurationException(
            key + "[" + i + "]", String.valueOf(e.getMessage()), e);
      }
    }
    return List.copyOf(ranges);
  }

  private static SuccessAnswer success(
      String key, String type, SourceProperties.@Nullable ResponseProperties response) {
    if (response == null) {
      return ProviderManners.success(type);
    }
    int status = response.status();
    if (status < 200 || status > 299) {
      throw new SourceConfigurationException(key + ".status", "must be 200 to 299, not " + status);
    }
    boolean bodiless = status == 204 || status == 205;
    String body = bodiless && response.body() == null ? "" : response.body();
    if (bodiless && body != null && !body.isEmpty()) {
      throw new SourceConfigurationException(
          key + ".body", "an answer with status " + status + " has no body");
    }
    String contentType = response.contentType();
    if (contentType == null) {
      contentType = body == null ? SuccessAnswer.USUAL.contentType() : "text/plain";
    } else if (body == null) {
      throw new SourceConfigurationException(key + ".content-type", "is for a body; set that too");
    }
    try {
      MimeTypeUtils.parseMimeType(contentType);
    } catch (InvalidMimeTypeException e) {
      throw new SourceConfigurationException(
          key + ".content-type", "\"" + contentType + "\" is not a content type", e);
    }
    return new SuccessAnswer(
        status, body == null ? null : body.getBytes(StandardCharsets.UTF_8), contentType);
  }
}
