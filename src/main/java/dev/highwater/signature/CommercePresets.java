package dev.highwater.signature;

import static dev.highwater.signature.PresetRow.header;
import static dev.highwater.signature.PresetRow.inBody;
import static dev.highwater.signature.PresetRow.inHeader;
import static dev.highwater.signature.PresetRow.preset;

import java.time.Duration;
import java.util.List;

/** Shops and payments. */
final class CommercePresets {
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
  private static final JsonItems ADYEN_ITEMS = new JsonItems(JsonField.parse("notificationItems"));
  private static final String ADYEN_ITEM = "NotificationRequestItem.";

  private CommercePresets() {}

  static List<Preset> all() {
    return List.of(
        preset(
            "stripe",
            header("Stripe-Signature")
                .entries(',', '=')
                .check("v1", Algorithm.HMAC_SHA256, Encoding.HEX, SecretForm.RAW)
                .signs("{timestamp}.{body}")
                .secondsInEntry("t", FIVE_MINUTES)
                .keyed(inBody("id"))),
        preset(
            "shopify",
            header("X-Shopify-Hmac-SHA256")
                .check(Algorithm.HMAC_SHA256, Encoding.BASE64, SecretForm.RAW)
                .keyed(inHeader("X-Shopify-Webhook-Id"))),
        preset(
            "square",
            header("x-square-hmacsha256-signature")
                .check(Algorithm.HMAC_SHA256, Encoding.BASE64, SecretForm.RAW)
                .signs("{url}{body}")
                .keyed(inBody("event_id"))),
        preset(
            "paddle",
            header("Paddle-Signature")
                .entries(';', '=')
                .check("h1", Algorithm.HMAC_SHA256, Encoding.HEX, SecretForm.RAW)
                .signs("{timestamp}:{body}")
                .secondsInEntry("ts", FIVE_MINUTES)
                .keyed(inBody("event_id"))),
        preset(
            "adyen",
            PresetRow.field(ADYEN_ITEM + "additionalData.hmacSignature")
                .eachOf(ADYEN_ITEMS)
                .check(Algorithm.HMAC_SHA256, Encoding.BASE64, SecretForm.HEX)
                .signs(adyenItem())
                .keyed(
                    new EventKey.EachItem(
                        ADYEN_ITEMS,
                        new EventKey.Join(
                            List.of(
                                inBody(ADYEN_ITEM + "eventCode"),
                                inBody(ADYEN_ITEM + "pspReference")))))));
  }

  private static String adyenItem() {
    List<String> fields =
        List.of(
            "pspReference",
            "originalReference",
            "merchantAccountCode",
            "merchantReference",
            "amount.value",
            "amount.currency",
            "eventCode",
            "success");
    return String.join(
        ":", fields.stream().map(field -> "{field?:" + ADYEN_ITEM + field + "}").toList());
  }
}
