package dev.highwater.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.Headers;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.Verifier;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** A scheme that is written in the configuration. */
class CustomSchemeTest {
  private static final long NOW = 1_700_000_000L;

  private final Map<String, Object> properties = new HashMap<>();

  CustomSchemeTest() {
    source("type", "custom");
    source("secrets[0]", "s3cret");
    source("sinks[0].name", "out");
    source("sinks[0].type", "http");
    source("scheme.signature.header", "X-Signature");
    source("scheme.signed", "{body}");
    source("scheme.algorithm", "hmac-sha256");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scheme.signature.header     | 'a b'          | is not the name of a header",
        "scheme.signature.query      | sig            | must have one of header, headers, query",
        "scheme.signature.headers[0] | X-B            | must have one of header, headers, query",
        "scheme.signature.body       | a..b           | \"a..b\" is wrong",
        "scheme.signature.label      | v1             | must be one character",
        "scheme.signature.separator  | ;;             | must be one character",
        "scheme.signature.prefx      | a              | is not a known key",
        "scheme.algorithm            | md5            | \"md5\" is not known; use one of hmac-sha1",
        "scheme.algorithm            | ''             | is missing; use one of hmac-sha1",
        "scheme.algorithm            | sha256         | needs {secret}",
        "scheme.algorithm            | token          | a token signs nothing",
        "scheme.encoding             | base32         | use one of hex, base64",
        "scheme.secret-form          | pem            | use one of raw, hex, base64",
        "scheme.signed               | ''             | is missing",
        "scheme.signed               | constant       | has nothing of the request",
        "scheme.signed               | {body          | has no '}' after it",
        "scheme.signed               | {bodi}         | {bodi} is not known",
        "scheme.signed               | {secret}{body} | for the algorithm sha256 only",
        "scheme.signed               | {timestamp}    | {timestamp} stands in what is signed",
        "scheme.timestamp.header     | X-Time         | a time that is not signed can be anything",
        "scheme.timestamp.label      | t              | needs signature.separator",
        "scheme.timestamp.unit       | s              | must have one of header, label and body",
        "scheme.timestamp.tolerance  | soon           | \"soon\" is wrong",
        "scheme.event-key.hash       | url            | use body",
        "scheme.event-key.join[0].header | 'a b'      | is not the name of a header",
        "scheme.each-of              | items          | needs signature.body",
        "tolerance                   | 5m             | signs no time",
      })
  void oneMistakeIsNamed(String key, String value, String problem) {
    source(key, value);

    assertThatThrownBy(this::a)
        .isInstanceOf(SourceConfigurationException.class)
        .hasMessageStartingWith("highwater.sources.a.")
        .hasMessageContaining(problem)
        .hasMessageNotContaining("\n")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void aCustomSourceNeedsAScheme() {
    properties.keySet().removeIf(key -> key.contains(".scheme."));
    assertThatThrownBy(this::a)
        .isInstanceOf(SourceConfigurationException.class)
        .hasMessageStartingWith("highwater.sources.a.scheme: is missing");
  }

  @Test
  void aTimeIsSecondsOrMilliseconds() {
    source("scheme.signed", "{timestamp}{body}");
    source("scheme.timestamp.header", "X-Time");
    source("scheme.timestamp.unit", "m");
    assertThatThrownBy(this::a).hasMessageContaining("\"m\" is wrong; use s or ms");
    source("scheme.timestamp.unit", "ms");
    source("scheme.timestamp.tolerance", "25h");
    assertThatThrownBy(this::a).hasMessageContaining("must be 1s to 24h");
  }

  @Test
  void aCustomSourceIsNotSaidToVerifyNothing() {
    assertThat(a().type()).isEqualTo("custom");
    assertThat(load().unverified()).isEmpty();
  }

  @Test
  void aTokenNeedsNothingElse() {
    properties.remove("highwater.sources.a.scheme.signed");
    source("scheme.algorithm", "token");
    source("scheme.encoding", "raw");
    assertThat(a().verifier().verify(request("/", "", "X-Signature", "s3cret")))
        .isInstanceOf(Verifier.Verified.class);
    assertThat(a().verifier().verify(request("/", "", "X-Signature", "s3cre")))
        .isInstanceOf(Verifier.Failed.class);
  }

  @Test
  void theFirstExampleOfThePageVerifies() throws Exception {
    Source orders =
        requireNonNull(SourcesPagesTest.customExamples().getFirst().find("default", "orders"));
    String body = "{\"order\":{\"id\":\"o-1\"}}";
    String signature = "sha256=" + hmac("s3cret", NOW + "." + body);
    var good = request("/", body, "X-Time", "" + NOW, "X-Signature", signature);
    var verdict = orders.verifier().verify(good);
    assertThat(verdict).isInstanceOf(Verifier.Verified.class);
    var key = orders.dedupe().keyOf(((Verifier.Verified) verdict).request());
    assertThat(requireNonNull(key).bytes()).isEqualTo("o-1".getBytes(UTF_8));
    for (var bad :
        new UnverifiedRequest[] {
          request("/", body + " ", "X-Time", "" + NOW, "X-Signature", signature),
          request("/", body, "X-Time", "" + (NOW + 1), "X-Signature", signature),
          request("/", body, "X-Time", "" + NOW, "X-Signature", signature.substring(7)),
          new UnverifiedRequest("POST", "/", good.headers(), good.body(), (NOW + 121) * 1000),
        }) {
      assertThat(orders.verifier().verify(bad)).isInstanceOf(Verifier.Failed.class);
    }
  }

  @Test
  void theSecondExampleOfThePageVerifies() throws Exception {
    Source meters =
        requireNonNull(SourcesPagesTest.customExamples().getLast().find("default", "meters"));
    String body = "{\"reading\":7}";
    String url = "https://hooks.example.com/webhooks/meters?a=1";
    String text = "time:" + NOW + "000;sig:" + ed25519("POST " + url + " " + NOW + "000 " + body);
    String[] headers = {"X-Meter-Signature", text, "X-Meter", "m1"};
    var verdict = meters.verifier().verify(request("/a?a=1", body, headers));
    assertThat(verdict).isInstanceOf(Verifier.Verified.class);
    assertThat(meters.dedupe().keyOf(((Verifier.Verified) verdict).request())).isNotNull();
    assertThat(meters.verifier().verify(request("/a?a=2", body, headers)))
        .isInstanceOf(Verifier.Failed.class);
    assertThat(meters.verifier().verify(request("/a?a=1", body + " ", headers)))
        .isInstanceOf(Verifier.Failed.class);
  }

  /** With the first key of RFC 8032. */
  private static String ed25519(String signed) throws GeneralSecurityException {
    byte[] key =
        HexFormat.of()
            .parseHex(
                "302e020100300506032b657004220420"
                    + "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(
        KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(key)));
    signature.update(signed.getBytes(UTF_8));
    return Base64.getEncoder().encodeToString(signature.sign());
  }

  private Source a() {
    return requireNonNull(load().find("default", "a"));
  }

  private ConfiguredSources load() {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return ConfiguredSources.of(SourcesProperties.bind(environment), false);
  }

  private void source(String key, String value) {
    properties.put("highwater.sources.a." + key, value);
  }

  private static UnverifiedRequest request(String target, String body, String... headers) {
    return new UnverifiedRequest(
        "POST", target, Headers.of(headers), body.getBytes(UTF_8), NOW * 1000);
  }

  private static String hmac(String key, String signed) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(UTF_8), "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
  }
}
