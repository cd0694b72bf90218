package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.handshake.SourceHandshake;
import dev.highwater.hook.SourceRef;
import dev.highwater.signature.FailureReason;
import dev.highwater.signature.Verifier;
import dev.highwater.source.DedupeRule;
import dev.highwater.source.RateLimits;
import dev.highwater.source.SinkDefinition;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import dev.highwater.source.SuccessAnswer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class StartReportTest {
  private final MockEnvironment environment =
      new MockEnvironment()
          .withProperty("highwater.data-dir", "/var/lib/highwater")
          .withProperty("server.port", "8080")
          .withProperty("management.server.port", "8081");

  @Test
  void eachSourceIsAnAddressToPostTo() {
    assertThat(report(source("default", "demo", "none"), source("acme", "shop", "shopify")).lines())
        .startsWith(
            "Post to http://localhost:8080/webhooks/demo",
            "Post to http://localhost:8080/webhooks/acme/shop");
  }

  @Test
  void manySourcesAreCounted() {
    var many =
        IntStream.range(0, 8)
            .mapToObj(i -> source("default", "s" + i, "github"))
            .toArray(Source[]::new);

    assertThat(report(many).lines()).filteredOn(line -> line.startsWith("Post to")).hasSize(5);
    assertThat(report(many).lines()).contains("… and to 3 more sources");
  }

  @Test
  void thePortThatReallyListensIsNamed() {
    environment.withProperty("local.server.port", "40001").withProperty("server.port", "0");
    environment.withProperty("local.management.port", "40002");
    environment.withProperty("management.server.address", "::1");

    assertThat(report(source("default", "demo", "none")).lines())
        .contains(
            "Post to http://localhost:40001/webhooks/demo",
            "Operators: http://[::1]:40002/actuator/health");
  }

  @Test
  void oneLineSaysWhatAnAnswerIsWorth() {
    assertThat(report().lines())
        .contains("No source is configured yet: every hook is answered 404")
        .last()
        .asString()
        .contains("/var/lib/highwater", "fdatasync", "power cut if the disk honours flushes");
  }

  @Test
  void everySourceThatVerifiesNothingIsAWarning() {
    assertThat(
            report(source("default", "demo", "none"), source("default", "x", "github")).warnings())
        .containsExactly("Source default/demo verifies nothing: whoever reaches it is believed");
  }

  private StartReport report(Source... sources) {
    return new StartReport(new Sources(List.of(sources)), environment);
  }

  private static Source source(String tenant, String name, String type) {
    return new Source(
        new SourceRef(tenant, name),
        type,
        _ -> new Verifier.Failed(FailureReason.MISSING_SIGNATURE),
        SourceHandshake.NONE,
        DedupeRule.NONE,
        1,
        Set.of("POST"),
        SuccessAnswer.USUAL,
        List.of(),
        RateLimits.NONE,
        List.of(new SinkDefinition("log", "log", Map.of())));
  }

  private record Sources(Collection<Source> all) implements SourceDirectory {
    @Override
    public @Nullable Source find(String tenant, String name) {
      return null;
    }
  }
}
