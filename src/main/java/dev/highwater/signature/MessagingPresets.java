package dev.highwater.signature;

import static dev.highwater.signature.PresetRow.header;
import static dev.highwater.signature.PresetRow.inBody;
import static dev.highwater.signature.PresetRow.inHeader;
import static dev.highwater.signature.PresetRow.preset;

import java.time.Duration;
import java.util.List;

/** Messages, mail, calls and social networks. */
final class MessagingPresets {
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  /**
   * Neither SendGrid nor Mailgun says whether a retry is signed anew. A window shorter than their
   * retries would then refuse, for good, what could not be taken in at once; so it is as long.
   */
  private static final Duration SENDGRID_RETRIES = Duration.ofHours(24);

  private static final Duration MAILGUN_RETRIES = Duration.ofHours(9);

  private static final EventKey BODY_HASH = new EventKey.BodyHash();

  private MessagingPresets() {}

  static List<Preset> all() {
    return List.of(
        preset(
            "slack",
            header("X-Slack-Signature")
                .prefix("v0=")
                .signs("v0:{timestamp}:{body}")
                .secondsInHeader("X-Slack-Request-Timestamp", FIVE_MINUTES)
                .keyed(inBody("event_id"))),
        preset(
            "zoom",
            header("x-zm-signature")
                .prefix("v0=")
                .signs("v0:{timestamp}:{body}")
                .secondsInHeader("x-zm-request-timestamp", FIVE_MINUTES)
                .keyed(BODY_HASH)),
        preset(
            "discord",
            header("X-Signature-Ed25519")
                .check(Algorithm.ED25519, Encoding.HEX, SecretForm.HEX)
                .signs("{timestamp}{body}")
                .secondsInHeader("X-Signature-Timestamp", FIVE_MINUTES)
                .keyed(BODY_HASH)),
        preset(
            "intercom",
            header("X-Hub-Signature")
                .prefix("sha1=")
                .check(Algorithm.HMAC_SHA1, Encoding.HEX, SecretForm.RAW)
                .keyed(inBody("id"))),
        preset("meta", header("X-Hub-Signature-256").prefix("sha256=").keyed(BODY_HASH)),
        preset(
            "x",
            header("x-twitter-webhooks-signature")
                .prefix("sha256=")
                .check(Algorithm.HMAC_SHA256, Encoding.BASE64, SecretForm.RAW)
                .keyed(BODY_HASH)),
        preset(
            "sendgrid",
            header("X-Twilio-Email-Event-Webhook-Signature")
                .check(Algorithm.ECDSA_P256, Encoding.BASE64, SecretForm.BASE64)
                .signs("{timestamp}{body}")
                .secondsInHeader("X-Twilio-Email-Event-Webhook-Timestamp", SENDGRID_RETRIES)
                .keyed(BODY_HASH)),
        preset(
            "mailgun",
            PresetRow.field("signature.signature")
                .signs("{timestamp}{field:signature.token}")
                .secondsInField("signature.timestamp", MAILGUN_RETRIES)
                .keyed(inBody("event-data.id"))),
        preset("twilio", twilioJson(), twilioForm()));
  }

  private static Preset.Variant twilioJson() {
    return header("X-Twilio-Signature")
        .when(new Condition.HasParameter("bodySHA256"))
        .check(Algorithm.HMAC_SHA1, Encoding.BASE64, SecretForm.RAW)
        .signs("{url-any-port}{digest:bodySHA256}")
        .keyed(inHeader("I-Twilio-Idempotency-Token"));
  }

  private static Preset.Variant twilioForm() {
    return header("X-Twilio-Signature")
        .check(Algorithm.HMAC_SHA1, Encoding.BASE64, SecretForm.RAW)
        .signs("{url-any-port}{form}")
        .keyed(
            new EventKey.FirstOf(
                List.of(
                    inHeader("I-Twilio-Idempotency-Token"),
                    inForm("MessageSid", "MessageStatus"),
                    inForm("MessageSid", "SmsStatus"),
                    inForm("CallSid", "CallStatus"))));
  }

  private static EventKey inForm(String id, String status) {
    return new EventKey.Join(List.of(new EventKey.FormField(id), new EventKey.FormField(status)));
  }
}
