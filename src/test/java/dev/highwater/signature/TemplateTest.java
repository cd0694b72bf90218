package dev.highwater.signature;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.Headers;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is signed. */
class TemplateTest {
  private static final URI URL = URI.create("https://hooks.example.com/a");

  @Test
  void eachPlaceIsFilled() {
    assertThat(fill("v0:{timestamp}:{body}", "{}")).isEqualTo("v0:17:{}");
    assertThat(fill("{method} {url}", "")).isEqualTo("PUT https://hooks.example.com/a?b=1&c");
    assertThat(fill("{header:x-a}/{header:X-A}", "")).isEqualTo("one/one");
    assertThat(fill("{field:a.b}", "{\"a\":{\"b\":7}}")).isEqualTo("7");
    assertThat(fill("", "body")).isEmpty();
  }

  @Test
  void theBodyIsNotCopied() {
    byte[] body = {1, 2, 3};
    List<Piece> pieces = Template.parse("x{body}").fill(request(body), "", null);
    assertThat(requireNonNull(pieces).get(1))
        .isInstanceOfSatisfying(
            Piece.Bytes.class, piece -> assertThat(piece.bytes()).isSameAs(body));
  }

  @Test
  void formParametersAreSortedAndRepeatedOnesCountOnce() {
    assertThat(fill("{form}", "b=2&a=x+y%21&b=1&b=2&c&%zz=%4")).isEqualTo("%zz%4ax y!b1b2c");
    assertThat(fill("{form}", "")).isEmpty();
    assertThat(fill("{form}", "a=1&".repeat(1001))).isNull();
  }

  @Test
  void whatIsNotThereMakesItUnusable() {
    assertThat(fill("{header:absent}", "")).isNull();
    assertThat(fill("{header:twice}", "")).isNull();
    assertThat(fill("{field:a}", "no json")).isNull();
    assertThat(Template.parse("{url}").fill(request(new byte[0]), "", null)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{body", "{bodi}", "{}", "{field:}"})
  void aPlaceThatIsNotKnownIsRefused(String template) {
    assertThatThrownBy(() -> Template.parse(template)).isInstanceOf(IllegalArgumentException.class);
  }

  private static @Nullable String fill(String template, String body) {
    List<Piece> pieces =
        Template.parse(template).fill(request(body.getBytes(StandardCharsets.UTF_8)), "17", URL);
    if (pieces == null) {
      return null;
    }
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (Piece piece : pieces) {
      joined.writeBytes(((Piece.Bytes) piece).bytes());
    }
    return joined.toString(StandardCharsets.UTF_8);
  }

  private static UnverifiedRequest request(byte[] body) {
    Headers headers =
        Headers.of(
            "X-A",
            "one",
            "twice",
            "1",
            "Twice",
            "2",
            "Content-Type",
            "application/x-www-form-urlencoded; charset=utf-8");
    return new UnverifiedRequest("PUT", "/webhooks/a?b=1&c", headers, body, 0);
  }
}
