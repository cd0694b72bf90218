package dev.highwater.signature;

import static dev.highwater.signature.PresetRow.header;
import static dev.highwater.signature.PresetRow.inBody;
import static dev.highwater.signature.PresetRow.inHeader;
import static dev.highwater.signature.PresetRow.preset;
import static dev.highwater.signature.PresetRow.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What belongs to no one provider. */
final class GeneralPresets {
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
  private static final List<String> STANDARD =
      List.of("standard-webhooks", "svix", "clerk", "resend", "openai");

  private GeneralPresets() {}

  static List<Preset> all() {
    List<Preset> presets = new ArrayList<>();
    presets.add(preset("none"));
    for (String type : STANDARD) {
      presets.add(preset(type, standardWebhooks("webhook-"), standardWebhooks("svix-")));
    }
    EventKey none = new EventKey.None();
    presets.add(
        preset("bearer", header("Authorization").credentials("Bearer").token().keyed(none)));
    presets.add(
        preset(
            "basic",
            header("Authorization")
                .credentials("Basic")
                .check(Algorithm.TOKEN, Encoding.BASE64, SecretForm.USER_AND_PASSWORD)
                .signs("")
                .keyed(none)));
    presets.add(
        preset(
            "cloudevents",
            header("Authorization").credentials("Bearer").token().keyed(cloudEvent()),
            query("access_token").token().keyed(cloudEvent())));
    return presets;
  }

  /** Headers in binary mode, fields of the body in structured mode. */
  private static EventKey cloudEvent() {
    return new EventKey.FirstOf(
        List.of(
            new EventKey.Join(List.of(inHeader("ce-source"), inHeader("ce-id"))),
            new EventKey.Join(List.of(inBody("source"), inBody("id")))));
  }

  static Preset.Variant standardWebhooks(String prefix) {
    return header(prefix + "signature")
        .entries(' ', ',')
        .check("v1", Algorithm.HMAC_SHA256, Encoding.BASE64, SecretForm.WHSEC)
        .check("v1a", Algorithm.ED25519, Encoding.BASE64, SecretForm.WHPK)
        .signs("{header:" + prefix + "id}.{timestamp}.{body}")
        .secondsInHeader(prefix + "timestamp", FIVE_MINUTES)
        .keyed(inHeader(prefix + "id"));
  }
}
