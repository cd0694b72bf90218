package dev.highwater.source;

import dev.highwater.handshake.Handshake;
import dev.highwater.handshake.HandshakeSettings;
import dev.highwater.handshake.Handshakes;
import dev.highwater.handshake.SourceHandshake;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the handshake of a source of what is configured, or says which key is wrong. */
final class HandshakeFactory {
  private HandshakeFactory() {}

  /**
   * The handshake.
   *
   * @param key the source's full key in the configuration
   * @param secrets as read, newest first; may be none
   * @param methods with which hooks come
   * @throws SourceConfigurationException at the first mistake
   */
  static SourceHandshake create(
      String key,
      String type,
      SourceProperties properties,
      List<String> secrets,
      Set<String> methods) {
    Handshake kind = Handshakes.of(type);
    boolean answers = answers(key + ".handshake", type, kind, properties.handshake());
    String token = token(key + ".verify-token", type, kind, answers, properties.verifyToken());
    String newest = secrets.isEmpty() ? null : secrets.getFirst();
    return SourceHandshake.of(kind, new HandshakeSettings(answers, newest, token, methods));
  }

  /** YAML has {@code on} and {@code off} without quotes as true and false. */
  private static boolean answers(
      String key, String type, Handshake kind, @Nullable String configured) {
    if (configured == null) {
      return true;
    }
    if (kind instanceof Handshake.None) {
      throw new SourceConfigurationException(
          key, "the type " + type + " has no handshake; remove it");
    }
    return switch (configured) {
      case "on", "true" -> true;
      case "off", "false" -> false;
      default ->
          throw new SourceConfigurationException(
              key, "\"" + configured + "\" is not known; use on or off");
    };
  }

  private static @Nullable String token(
      String key, String type, Handshake kind, boolean answers, @Nullable String configured) {
    boolean asked = kind instanceof Handshake.Subscription;
    if (configured == null) {
      if (asked && answers) {
        throw new SourceConfigurationException(
            key,
            "is missing: the type "
                + type
                + " names it when it subscribes; set it, or handshake: off");
      }
      return null;
    }
    if (!asked) {
      throw new SourceConfigurationException(
          key, "the type " + type + " names no verify token; remove it");
    }
    return SecretReader.read(key, configured);
  }
}
