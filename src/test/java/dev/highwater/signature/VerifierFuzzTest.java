package dev.highwater.signature;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Headers;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** No request makes a verifier throw, and none that was not signed is taken for signed. */
class VerifierFuzzTest {
  private static final long SEED = 20_260_101L;
  private static final int ROUNDS = 20_000;

  private static final String[] HEADERS = {
    "X-Hub-Signature-256",
    "Stripe-Signature",
    "webhook-id",
    "webhook-timestamp",
    "webhook-signature",
    "svix-id",
    "svix-timestamp",
    "svix-signature",
    "content-type",
    "sig-1",
    "sig-2",
    "time",
    "Authorization",
    "X-Twilio-Signature",
    "X-HubSpot-Signature",
    "X-HubSpot-Signature-v3",
    "X-HubSpot-Signature-Version",
    "X-HubSpot-Request-Timestamp",
    "X-DocuSign-Signature-1",
    "X-Signature-Ed25519",
    "X-Signature-Timestamp"
  };

  private static final String[] WORDS = {
    "",
    "sha256=",
    "t=",
    "v1=",
    ",",
    " ",
    "v1,",
    "v1a,",
    "=",
    "==",
    "1700000000",
    "-1",
    "00",
    "deadbeef",
    "AAAA",
    "+/",
    "-_",
    "%",
    "%zz",
    "%41",
    "\u0000",
    "\uffff",
    "\ud800",
    "\u00e9",
    "99999999999999999999",
    "application/x-www-form-urlencoded",
    "msg_1",
    "{",
    "}",
    "&",
    ";",
    "Bearer ",
    "v2",
    "bodySHA256=",
    "access_token="
  };

  @Test
  void noRequestMakesAPresetThrow() {
    String whsec = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    String whpk = "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    hammer(preset("github").verifier(List.of("a", "b"), null, null));
    hammer(preset("stripe").verifier(List.of("a", "b"), null, null));
    hammer(preset("svix").verifier(List.of(whsec, whpk), null, null));
    String hex = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c";
    URI url = URI.create("https://x.example/y");
    for (String type :
        List.of("twilio", "hubspot", "cloudevents", "gitlab", "docusign", "mailgun")) {
      hammer(preset(type).verifier(List.of("some:secret"), null, url));
    }
    for (String type : List.of("adyen", "discord", "msgraph")) {
      hammer(preset(type).verifier(List.of(hex), null, null));
    }
  }

  @Test
  void noRequestMakesAnyPartOfTheEngineThrow() {
    for (SignaturePlace place :
        List.of(
            new SignaturePlace.Headers(List.of("sig-1", "sig-2")),
            new SignaturePlace.Query("sig"),
            new SignaturePlace.Field(JsonField.parse("a.0.b")))) {
      Scheme scheme =
          new Scheme(
              place,
              new Notation.Plain(""),
              List.of(new Check("", Algorithm.SHA256, Encoding.BASE64_LENIENT, SecretForm.RAW)),
              Template.parse("{secret}{url}{method}{form}{header:time}{timestamp}"),
              new Timestamp(
                  new Timestamp.Place.Header("time"), Duration.ofMillis(1), Duration.ofMinutes(5)));
      EventKey none = new EventKey.None();
      Preset preset = new Preset("any", List.of(new Preset.Variant(scheme, none)), none);
      hammer(preset.verifier(List.of("a"), null, URI.create("https://x.example/y")));
    }
  }

  private static void hammer(Verifier verifier) {
    Random random = new Random(SEED);
    for (int i = 0; i < ROUNDS; i++) {
      UnverifiedRequest request = request(random);
      assertThat(verifier.verify(request))
          .as("round %d of seed %d", i, SEED)
          .isInstanceOf(Verifier.Failed.class);
    }
  }

  private static UnverifiedRequest request(Random random) {
    List<String> headers = new ArrayList<>();
    for (int i = random.nextInt(8); i > 0; i--) {
      headers.add(HEADERS[random.nextInt(HEADERS.length)]);
      headers.add(text(random));
    }
    byte[] body = text(random).getBytes(StandardCharsets.UTF_16LE);
    if (random.nextBoolean()) {
      String json = "{\"a\":[{\"b\":\"" + random.nextInt() + "\"}],\"" + text(random);
      body = json.getBytes(StandardCharsets.UTF_8);
    }
    String target = "/" + text(random) + (random.nextBoolean() ? "?sig=" : "?") + text(random);
    return new UnverifiedRequest(
        "POST", target, Headers.of(headers.toArray(String[]::new)), body, 1_700_000_000_000L);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append(
          random.nextInt(4) == 0
              ? String.valueOf((char) random.nextInt(256))
              : WORDS[random.nextInt(WORDS.length)]);
    }
    return text.toString();
  }

  private static Preset preset(String type) {
    return requireNonNull(Presets.of(type));
  }
}
