package dev.highwater.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Headers;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What of a form is signed, and where that ends (G13); its order is the templates' test. */
class FormParametersTest {
  private static final String FORM = "application/x-www-form-urlencoded";

  @Test
  void aThousandParametersAreSignedAndNoneMore() {
    assertThat(sorted(FORM, parameters(1000))).startsWith("p0000v").endsWith("p0999v");
    assertThat(sorted(FORM, parameters(1001))).isNull();
  }

  /** What counts is how many there are to be read, not how many are left. */
  @Test
  void repeatedAndEmptyOnesCountToo() {
    assertThat(sorted(FORM, "a=1&".repeat(1000))).isEqualTo("a1");
    assertThat(sorted(FORM, "a=1&".repeat(1001))).isNull();
    assertThat(sorted(FORM, "&".repeat(1000))).isEmpty();
    assertThat(sorted(FORM, "&".repeat(1001))).isNull();
  }

  @Test
  void whatIsNoFormIsRefusedUnlessItIsEmpty() {
    assertThat(sorted("application/json", parameters(1))).isNull();
    assertThat(sorted("application/json", "")).isEmpty();
    assertThat(sorted(FORM.toUpperCase(Locale.ROOT) + "; charset=utf-8", "a=1")).isEqualTo("a1");
  }

  private static String parameters(int count) {
    return IntStream.range(0, count)
        .mapToObj("p%04d=v"::formatted)
        .collect(Collectors.joining("&"));
  }

  private static @Nullable String sorted(String contentType, String body) {
    byte[] sorted =
        FormParameters.sorted(
            new UnverifiedRequest(
                "POST", "/", Headers.of("Content-Type", contentType), body.getBytes(UTF_8), 0));
    return sorted == null ? null : new String(sorted, UTF_8);
  }
}
