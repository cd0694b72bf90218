package dev.highwater.sink.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of an http sink.
 *
 * @param url where hooks are POSTed to: http or https, no user-info, no fragment; required
 * @param secrets 0 to 8 signing secrets, newest first; all of them sign
 * @param timeout of one attempt from its first byte out to the last byte back, with name look-up,
 *     connecting and waiting for a free connection; 100 ms to 10 min
 * @param connectTimeout of one connection; null for 5 s, or the whole time-out where that is less
 * @param maxConnections 1 to 256
 * @param headers extra headers of every request; they win over the provider's; values may be
 *     secrets
 * @param permanentStatuses statuses of 400 to 499 that end a delivery at once, beside 410
 */
record HttpSinkSettings(
    @DefaultValue("") String url,
    @DefaultValue List<String> secrets,
    @DefaultValue("30s") Duration timeout,
    @Nullable Duration connectTimeout,
    @DefaultValue("16") int maxConnections,
    @DefaultValue Map<String, String> headers,
    @DefaultValue({"413", "414", "415", "431"}) Set<Integer> permanentStatuses) {
  private static final int GONE = 410;
  private static final Set<Integer> NEVER_PERMANENT = Set.of(408, 425, 429);
  private static final Duration USUAL_CONNECT_TIMEOUT = Duration.ofSeconds(5);

  HttpSinkSettings {
    parse(url);
    check(secrets.size() <= 8, "secrets must be at most 8, not " + secrets.size());
    for (int i = 0; i < secrets.size(); i++) {
      try {
        SigningSecret.parse(secrets.get(i));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("secrets[" + i + "] " + e.getMessage(), e);
      }
    }
    check(
        timeout.toMillis() >= 100 && timeout.compareTo(Duration.ofMinutes(10)) <= 0,
        "timeout must be 100ms to 10m");
    if (connectTimeout == null) {
      connectTimeout =
          timeout.compareTo(USUAL_CONNECT_TIMEOUT) < 0 ? timeout : USUAL_CONNECT_TIMEOUT;
    }
    check(
        connectTimeout.toMillis() >= 1 && connectTimeout.compareTo(timeout) <= 0,
        "connect-timeout must be 1ms to timeout");
    check(
        maxConnections >= 1 && maxConnections <= 256,
        "max-connections must be 1 to 256, not " + maxConnections);
    checkHeaders(headers);
    for (int status : permanentStatuses) {
      check(
          status >= 400 && status <= 499 && !NEVER_PERMANENT.contains(status),
          "permanent-statuses must be 400 to 499 and not 408, 425 or 429; it holds " + status);
    }
    Set<Integer> withGone = new HashSet<>(permanentStatuses);
    withGone.add(GONE);
    permanentStatuses = Set.copyOf(withGone);
    secrets = List.copyOf(secrets);
    headers = Map.copyOf(headers);
  }

  URI target() {
    return parse(url);
  }

  /** Within {@link #timeout}; never null once constructed. */
  Duration connecting() {
    return connectTimeout == null ? timeout : connectTimeout;
  }

  List<SigningSecret> signingSecrets() {
    return secrets.stream().map(SigningSecret::parse).toList();
  }

  /** Without secrets, header values, and the path and query of the URL, which may be secret too. */
  @Override
  public String toString() {
    return "POST to " + target().getScheme() + "://" + target().getAuthority();
  }

  /** Not a URI from the start: the conversion of the framework would escape its '%' again. */
  private static URI parse(String url) {
    check(!url.isEmpty(), "url is required");
    URI parsed;
    try {
      parsed = new URI(url);
    } catch (URISyntaxException e) {
      // Without the cause, which quotes it.
      throw new IllegalArgumentException("url is not a URL");
    }
    String scheme = parsed.getScheme();
    check(
        "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme),
        "url must begin with http:// or https://");
    String authority = parsed.getRawAuthority();
    check(
        authority == null || !authority.contains("@"),
        "url must hold no user and password; use headers.authorization");
    check(parsed.getHost() != null, "url has no valid host name");
    check(
        parsed.getPort() != 0 && parsed.getPort() <= 65_535, "url must have a port of 1 to 65535");
    check(parsed.getRawFragment() == null, "url must hold no fragment (#)");
    return parsed;
  }

  private static void checkHeaders(Map<String, String> headers) {
    Set<String> seen = new HashSet<>();
    headers.forEach(
        (name, value) -> {
          check(HeaderRules.isName(name), "headers." + name + " is not a header name");
          check(
              HeaderRules.mayConfigure(name), "headers." + name + " is written by the sink itself");
          check(
              HeaderRules.isValue(value),
              "headers." + name + " must be printable ASCII without a line break");
          check(seen.add(name.toLowerCase(Locale.ROOT)), "headers." + name + " is there twice");
        });
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
