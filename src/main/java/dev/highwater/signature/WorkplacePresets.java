package dev.highwater.signature;

import static dev.highwater.signature.PresetRow.header;
import static dev.highwater.signature.PresetRow.inBody;
import static dev.highwater.signature.PresetRow.inHeader;
import static dev.highwater.signature.PresetRow.preset;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Code, documents, customers and accounts. */
final class WorkplacePresets {
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
  private static final int MOST_DOCUSIGN_KEYS = 32;
  private static final EventKey BODY_HASH = new EventKey.BodyHash();

  private WorkplacePresets() {}

  static List<Preset> all() {
    return List.of(
        preset(
            "github",
            header("X-Hub-Signature-256").prefix("sha256=").keyed(inHeader("X-GitHub-Delivery"))),
        preset(
            "gitlab",
            GeneralPresets.standardWebhooks("webhook-"),
            header("X-Gitlab-Token")
                .token()
                .keyed(
                    new EventKey.FirstOf(
                        List.of(inHeader("Idempotency-Key"), inHeader("X-Gitlab-Event-UUID"))))),
        preset(
            "linear",
            header("Linear-Signature")
                .millisInField("webhookTimestamp", Duration.ofSeconds(60))
                .keyed(inHeader("Linear-Delivery"))),
        preset("hubspot", hubspot3(), hubspot2(), hubspot1()),
        preset(
            "docusign",
            PresetRow.headers(docusignHeaders())
                .check(Algorithm.HMAC_SHA256, Encoding.BASE64, SecretForm.RAW)
                .keyed(BODY_HASH)),
        preset("dropbox", header("X-Dropbox-Signature").keyed(new EventKey.None())),
        preset("okta", header("Authorization").token().keyed(inBody("eventId"))),
        preset(
            "msgraph",
            PresetRow.field("clientState")
                .eachOf(new JsonItems(JsonField.parse("value")))
                .token()
                .keyed(BODY_HASH)));
  }

  private static Preset.Variant hubspot3() {
    return header("X-HubSpot-Signature-v3")
        .check(Algorithm.HMAC_SHA256, Encoding.BASE64, SecretForm.RAW)
        .signs("{method}{url-without-escapes}{body}{timestamp}")
        .millisInHeader("X-HubSpot-Request-Timestamp", FIVE_MINUTES)
        .keyed(BODY_HASH);
  }

  private static Preset.Variant hubspot2() {
    return hubspot("v2", "{secret}{method}{url}{body}");
  }

  private static Preset.Variant hubspot1() {
    return hubspot("v1", "{secret}{body}");
  }

  private static Preset.Variant hubspot(String version, String template) {
    return header("X-HubSpot-Signature")
        .when(new Condition.HeaderIs("X-HubSpot-Signature-Version", version))
        .check(Algorithm.SHA256, Encoding.HEX, SecretForm.RAW)
        .signs(template)
        .keyed(BODY_HASH);
  }

  private static List<String> docusignHeaders() {
    return IntStream.rangeClosed(1, MOST_DOCUSIGN_KEYS)
        .mapToObj(number -> "X-DocuSign-Signature-" + number)
        .toList();
  }
}
