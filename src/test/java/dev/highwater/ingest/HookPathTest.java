package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.SourceRef;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HookPathTest {

  @Test
  void oneNameIsASourceOfTheDefaultTenantAndTwoAreTenantAndSource() {
    assertThat(HookPath.parse("/webhooks/stripe")).isEqualTo(SourceRef.of("stripe"));
    assertThat(HookPath.parse("/webhooks/acme/shop-2")).isEqualTo(new SourceRef("acme", "shop-2"));
    assertThat(HookPath.parse("/webhooks/" + "a".repeat(63)))
        .isEqualTo(SourceRef.of("a".repeat(63)));
  }

  @Test
  void nothingElseIsASource() {
    for (String path :
        new String[] {
          "",
          "/",
          "*",
          "/webhooks",
          "/webhooks/",
          "webhooks/a",
          "/webhooks/a/",
          "/webhooks//a",
          "/webhooks/a//b",
          "/webhooks/a/b/",
          "/webhooks/a/b/c",
          "/webhooks/A",
          "/Webhooks/a",
          "/webhooks/a;x=y",
          "/webhooks/a%2Fb",
          "/webhooks/..",
          "/webhooks/../a",
          "/webhooks/a b",
          "/webhooks/a?x",
          "/webhooks/a\u0000",
          "/webhooks/\u00e4",
          "/webhooks/-a",
          "/webhooks/a-",
          "/webhooks/" + "a".repeat(64)
        }) {
      assertThat(HookPath.parse(path)).as(path).isNull();
    }
  }

  @Test
  void whatIsParsedIsSpeltExactlyAsItIsWritten() {
    String alphabet = "/webhooks/ab-0A%2F.;=\\";
    var random = new Random(11);
    int parsed = 0;
    for (int i = 0; i < 200_000; i++) {
      var path = new StringBuilder("/webhooks/");
      for (int n = random.nextInt(8); n >= 0; n--) {
        path.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      SourceRef ref = HookPath.parse(path.toString());
      if (ref != null) {
        parsed++;
        assertThat(path.toString())
            .isIn("/webhooks/" + ref.name(), "/webhooks/" + ref.tenant() + "/" + ref.name());
      }
    }
    assertThat(parsed).isGreaterThan(1000);
  }
}
