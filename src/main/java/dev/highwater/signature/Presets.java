package dev.highwater.signature;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The providers that are known by name. Each is a row of data. */
public final class Presets {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  private static final Map<String, Preset> BY_TYPE = new TreeMap<>();

  static {
    add(new Preset("none", List.of(), new EventKey.None()));
    add(
        preset(
            "github",
            new Scheme(
                new SignaturePlace.Header("X-Hub-Signature-256"),
                new Notation.Plain("sha256="),
                List.of(new Check("", Algorithm.HMAC_SHA256, Encoding.HEX, SecretForm.RAW)),
                Template.parse("{body}"),
                null),
            new EventKey.Header("X-GitHub-Delivery")));
    add(
        preset(
            "stripe",
            new Scheme(
                new SignaturePlace.Header("Stripe-Signature"),
                new Notation.Entries(',', '='),
                List.of(new Check("v1", Algorithm.HMAC_SHA256, Encoding.HEX, SecretForm.RAW)),
                Template.parse("{timestamp}.{body}"),
                new Timestamp(new Timestamp.Place.Entry("t"), SECOND, FIVE_MINUTES)),
            new EventKey.Field(JsonField.parse("id"))));
    for (String type : List.of("standard-webhooks", "svix", "clerk", "resend", "openai")) {
      add(
          new Preset(
              type,
              List.of(standardWebhooks("webhook-"), standardWebhooks("svix-")),
              new EventKey.None()));
    }
  }

  private Presets() {}

  /** The preset of that name, or null. */
  public static @Nullable Preset of(String type) {
    return BY_TYPE.get(type);
  }

  /** The names of all, sorted. */
  public static List<String> types() {
    return new ArrayList<>(BY_TYPE.keySet());
  }

  private static void add(Preset preset) {
    BY_TYPE.put(preset.type(), preset);
  }

  private static Preset preset(String type, Scheme scheme, EventKey key) {
    return new Preset(type, List.of(new Preset.Variant(scheme, key)), new EventKey.None());
  }

  private static Preset.Variant standardWebhooks(String prefix) {
    Scheme scheme =
        new Scheme(
            new SignaturePlace.Header(prefix + "signature"),
            new Notation.Entries(' ', ','),
            List.of(
                new Check("v1", Algorithm.HMAC_SHA256, Encoding.BASE64, SecretForm.WHSEC),
                new Check("v1a", Algorithm.ED25519, Encoding.BASE64, SecretForm.WHPK)),
            Template.parse("{header:" + prefix + "id}.{timestamp}.{body}"),
            new Timestamp(new Timestamp.Place.Header(prefix + "timestamp"), SECOND, FIVE_MINUTES));
    return new Preset.Variant(scheme, new EventKey.Header(prefix + "id"));
  }
}
