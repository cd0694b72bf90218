package dev.highwater.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One field of a body, however large, deep or broken the body is. */
class JsonFieldTest {

  @Test
  void stringsAndNumbersAreTheirText() {
    assertThat(read("id", "{\"id\":\"evt_1\"}")).isEqualTo("evt_1");
    assertThat(read("id", "{\"id\":\"\\u00e9\\n\"}")).isEqualTo("\u00e9\n");
    assertThat(read("id", "{\"id\":12345678901234567890123}")).isEqualTo("12345678901234567890123");
    assertThat(read("id", "{\"id\":1.50}")).isEqualTo("1.50");
    assertThat(read("id", "{\"id\":\"\"}")).isEmpty();
  }

  @Test
  void anythingElseIsNoText() {
    for (String value : new String[] {"null", "true", "{}", "[]", "{\"id\":1}"}) {
      assertThat(read("id", "{\"id\":" + value + "}")).isNull();
    }
  }

  @Test
  void aPathGoesThroughObjectsAndArrays() {
    String json =
        "{\"x\":{\"id\":1},\"data\":{\"y\":[1,[2]],\"items\":[{\"id\":\"a\"},{\"id\":\"b\"}]}}";
    assertThat(read("data.items.1.id", json)).isEqualTo("b");
    assertThat(read("data.items.0.id", json)).isEqualTo("a");
    assertThat(read("data.items.2.id", json)).isNull();
    assertThat(read("data.items.id", json)).isNull();
    assertThat(read("x.id.deeper", json)).isNull();
    assertThat(read("id", json)).isNull();
    assertThat(read("0.id", "[{\"id\":7}]")).isEqualTo("7");
  }

  @Test
  void theFirstOfTwoFieldsCounts() {
    assertThat(read("id", "{\"id\":1,\"id\":2}")).isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"id\"",
        "{\"id\":",
        "{\"id\":\"a",
        "{id:1}",
        "{'id':1}",
        "[1,2",
        "id",
        "{\"a\":1,}",
        "{\"a\":tru,\"id\":1}",
        "\u0000",
        "{\"id\":01}",
        "{\"a\":\"\n\",\"id\":1}"
      })
  void whatIsNotJsonHasNoField(String body) {
    assertThat(read("id", body)).isNull();
  }

  @Test
  void textThatIsDamagedIsNoText() {
    byte[] body = {'{', '"', 'i', 'd', '"', ':', '"', (byte) 0xff, (byte) 0xfe, '"', '}'};
    assertThat(JsonField.parse("id").read(body)).isNull();
    assertThat(read("id", "{\"id\":\"\\ud800\"}")).isNull();
  }

  @Test
  void nothingAfterTheFieldIsRead() {
    assertThat(read("id", "{\"id\":1,#!")).isEqualTo("1");
  }

  @Test
  @Timeout(20)
  void tenThousandLevelsHaveNoFieldAndNeedNoStack() throws InterruptedException {
    String[] bodies = {
      "{\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + ",\"id\":1}",
      "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000),
      "[".repeat(8_000_000)
    };
    for (String body : bodies) {
      String[] found = {"not run"};
      // A stack a recursive parser would not get far with.
      Thread small =
          new Thread(
              null, () -> found[0] = String.valueOf(read("id", body)), "small stack", 256 * 1024);
      small.start();
      small.join(Duration.ofSeconds(10));
      assertThat(found[0]).isEqualTo("null");
    }
  }

  @Test
  void levelsUpToTheBoundAreRead() {
    int levels = JsonField.DEEPEST - 1;
    String body = "{\"a\":" + "[".repeat(levels) + "]".repeat(levels) + ",\"id\":1}";
    assertThat(read("id", body)).isEqualTo("1");
    assertThat(read("id", body.replace("[]", "[[]]"))).isNull();
  }

  @Test
  @Timeout(20)
  void aFieldAtTheEndOfEightMegabytesIsFound() {
    String large = "\"" + "x".repeat(1000) + "\",";
    String many = "{\"a\":[" + large.repeat(8_000) + "0],\"id\":\"last\"}";
    assertThat(read("id", many)).isEqualTo("last");
    String one = "{\"a\":\"" + "x".repeat(8_000_000) + "\",\"id\":\"last\"}";
    assertThat(read("id", one)).isEqualTo("last");
  }

  @Test
  @Timeout(20)
  void manyNamesAreNoTrouble() {
    StringBuilder body = new StringBuilder("{");
    for (int i = 0; i < 300_000; i++) {
      body.append("\"name-").append(i).append("\":").append(i).append(',');
    }
    assertThat(read("id", body + "\"id\":\"last\"}")).isEqualTo("last");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.", ".a", "a..b"})
  void aPathHasNoEmptyName(String path) {
    assertThatThrownBy(() -> JsonField.parse(path)).isInstanceOf(IllegalArgumentException.class);
  }

  private static @Nullable String read(String path, String body) {
    return JsonField.parse(path).read(body.getBytes(StandardCharsets.UTF_8));
  }
}
