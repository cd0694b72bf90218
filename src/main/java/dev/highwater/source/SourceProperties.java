package dev.highwater.source;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * One source as it is written in the configuration; nothing is checked yet.
 *
 * @param type how requests are verified: a provider's name, custom, or none
 * @param scheme how they are signed, for the type custom
 * @param secrets what they are verified with, newest first, 1 to 8: a literal, an environment
 *     variable as ${NAME}, or a file as file:/path
 * @param tolerance how far a request's timestamp may be from the clock, both ways; the provider's
 *     own unless set
 * @param onFailure what becomes of a request that fails verification: reject, quarantine to keep it
 *     where nothing delivers it, or flag to take it in marked as failed
 * @param dedupe how repetitions are known; the provider's own way unless set
 * @param methods the methods that bring hooks: POST, PUT, PATCH or DELETE
 * @param maxBody the largest body, up to 64MB
 * @param externalUrl the URL the provider calls, for schemes that sign it
 * @param allowFrom the client addresses it takes hooks from, such as 203.0.113.0/24; all unless set
 * @param rateLimit how much it takes in all
 * @param clientRateLimit how much it takes from each client address
 * @param response what a stored hook is answered with; the type's own answer unless set
 * @param handshake on, or off to refuse what the provider asks of the URL; only for types that ask
 * @param verifyToken what the provider names when it subscribes, a secret as those above; only for
 *     types that name one, and needed there unless the handshake is off
 * @param sinks where the hooks go: at least one, each with a name, a type and the keys of its type
 */
public record SourceProperties(
    @Nullable String type,
    @Nullable SchemeProperties scheme,
    @DefaultValue List<String> secrets,
    @Nullable Duration tolerance,
    @DefaultValue("reject") String onFailure,
    @Nullable DedupeProperties dedupe,
    @DefaultValue("POST") List<String> methods,
    @DefaultValue("8MB") DataSize maxBody,
    @Nullable String externalUrl,
    @DefaultValue List<String> allowFrom,
    @Nullable RateLimitProperties rateLimit,
    @Nullable RateLimitProperties clientRateLimit,
    @Nullable ResponseProperties response,
    @Nullable String handshake,
    @Nullable String verifyToken,
    @DefaultValue List<Map<String, String>> sinks) {

  /**
   * The answer to a stored hook.
   *
   * @param status 200 to 299
   * @param body its text; the usual JSON with the id unless set
   * @param contentType of the body; text/plain unless set
   */
  public record ResponseProperties(
      @DefaultValue("201") int status, @Nullable String body, @Nullable String contentType) {}

  /** Nothing that may be a secret (G12). */
  @Override
  public String toString() {
    return "source of type " + type + " with " + secrets.size() + " secrets";
  }
}
