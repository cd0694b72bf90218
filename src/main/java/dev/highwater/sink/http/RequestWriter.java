package dev.highwater.sink.http;

import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.sink.Attempt;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/** Writes the request of an attempt. Immutable; any thread may call. */
final class RequestWriter {
  private final URI url;
  private final Map<String, String> configured;
  private final Set<String> configuredNames;
  private final List<SigningSecret> secrets;
  private final InstantSource clock;
  private final String userAgent;

  RequestWriter(HttpSinkSettings settings, InstantSource clock, String userAgent) {
    this.url = settings.target();
    this.configured = settings.headers();
    this.configuredNames =
        configured.keySet().stream()
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    this.secrets = settings.signingSecrets();
    this.clock = clock;
    this.userAgent = userAgent;
  }

  /** The body of the request is the array of the hook, not a copy. */
  HttpPost write(Attempt attempt) {
    Hook.Content hook = attempt.hook().content();
    var request = new HttpPost(url);
    forward(hook.headers(), request);
    request.setHeader("user-agent", userAgent);
    configured.forEach(request::setHeader);
    sign(hook, request);
    request.setHeader("highwater-source", hook.source().name());
    request.setHeader("highwater-tenant", hook.source().tenant());
    request.setHeader("highwater-attempt", Integer.toString(attempt.number()));
    request.setHeader("highwater-verified", hook.verification().text());
    request.setHeader("highwater-received-at", Instant.ofEpochMilli(hook.receivedAt()).toString());
    request.setEntity(new ByteArrayEntity(hook.body(), null));
    return request;
  }

  private void forward(Headers headers, HttpPost request) {
    Set<String> ofTheConnection = namedByConnection(headers);
    headers.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          // What was taken in is clean; a line break that came all the same must not split ours.
          if (HeaderRules.isName(name)
              && HeaderRules.isValue(value)
              && HeaderRules.mayForward(name)
              && !ofTheConnection.contains(lower)
              // Left out here: setting a header later replaces only the first of its name.
              && !configuredNames.contains(lower)) {
            request.addHeader(name, value);
          }
        });
  }

  private static Set<String> namedByConnection(Headers headers) {
    Set<String> names = new HashSet<>();
    for (String value : headers.all("connection")) {
      for (String name : value.split(",", -1)) {
        names.add(name.strip().toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  private void sign(Hook.Content hook, HttpPost request) {
    String id = hook.id().toString();
    String timestamp = Long.toString(clock.instant().getEpochSecond());
    request.setHeader("webhook-id", id);
    request.setHeader("webhook-timestamp", timestamp);
    if (!secrets.isEmpty()) {
      request.setHeader(
          "webhook-signature",
          secrets.stream()
              .map(secret -> secret.sign(id, timestamp, hook.body()))
              .collect(Collectors.joining(" ")));
    }
  }
}
