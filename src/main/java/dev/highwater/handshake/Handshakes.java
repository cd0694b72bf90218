package dev.highwater.handshake;

import dev.highwater.signature.JsonField;
import java.util.Map;

/** The handshakes of the providers, by the name of the type of source. */
public final class Handshakes {
  private static final Handshake NONE = new Handshake.None();

  private static final Map<String, Handshake> BY_TYPE =
      Map.of(
          "slack", new Handshake.EchoField(field("type"), "url_verification", field("challenge")),
          "zoom",
              new Handshake.SignField(
                  field("event"),
                  "endpoint.url_validation",
                  field("payload.plainToken"),
                  "plainToken",
                  "encryptedToken"),
          "meta",
              new Handshake.Subscription("GET", "hub.mode", "hub.verify_token", "hub.challenge"),
          "discord", new Handshake.Ping(field("type"), "0", "1", field("event.type")),
          "intercom", new Handshake.Presence("HEAD"),
          "okta", new Handshake.EchoHeader("GET", "X-Okta-Verification-Challenge", "verification"),
          "msgraph", new Handshake.EchoParameter("POST", "validationToken"),
          "x", new Handshake.SignParameter("GET", "crc_token", "response_token", "sha256="),
          "dropbox", new Handshake.EchoParameter("GET", "challenge"),
          "cloudevents", new Handshake.AllowOrigin("OPTIONS", "WebHook-Request-Origin"));

  private Handshakes() {}

  /** The handshake of that type; {@link Handshake.None} where it has none. */
  public static Handshake of(String type) {
    return BY_TYPE.getOrDefault(type, NONE);
  }

  private static JsonField field(String path) {
    return JsonField.parse(path);
  }
}
