package dev.highwater.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.handshake.SourceHandshake;
import dev.highwater.hook.SourceRef;
import dev.highwater.sink.Sink;
import dev.highwater.sink.SinkFactory;
import dev.highwater.source.DedupeRule;
import dev.highwater.source.RateLimits;
import dev.highwater.source.SinkDefinition;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import dev.highwater.source.SuccessAnswer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SinkCatalogTest {
  private final List<FakeSink> made = new ArrayList<>();

  @Test
  void makesEverySinkByItsType() {
    List<Lane> lanes = catalog(sink("console", "log"), sink("main", "http")).makeLanes((s, n) -> 7);

    assertThat(lanes).extracting(Lane::name).containsExactly("console", "main");
    assertThat(lanes).extracting(Lane::id).containsOnly(7);
    assertThat(made).hasSize(2);
  }

  @Test
  void anUnknownTypeIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(() -> catalog(sink("main", "htpp")).makeLanes((s, n) -> 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "sink main of source default/stripe has the unknown type \"htpp\"; there are http, log");
  }

  @Test
  void whatIsWrongNamesTheSink() {
    var wrong = new SinkDefinition("main", "http", Map.of("wrong", "canary"));

    assertThatThrownBy(() -> catalog(wrong).makeLanes((s, n) -> 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sink main of source default/stripe: wrong is wrong");
  }

  @Test
  void whatWasMadeBeforeTheWrongOneIsClosed() {
    assertThatThrownBy(
            () -> catalog(sink("first", "log"), sink("second", "no")).makeLanes((s, n) -> 7))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(made).hasSize(1).allMatch(FakeSink::isClosed);
  }

  @Test
  void twoFactoriesOfOneTypeAreRefused() {
    assertThatThrownBy(
            () ->
                new SinkCatalog(
                    new Sources(List.of()), List.of(new Factory("http"), new Factory("http"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two factories make sinks of type http");
  }

  private SinkCatalog catalog(SinkDefinition... sinks) {
    var source =
        new Source(
            SourceRef.of("stripe"),
            "custom",
            request -> {
              throw new UnsupportedOperationException();
            },
            SourceHandshake.NONE,
            DedupeRule.NONE,
            1,
            Set.of("POST"),
            SuccessAnswer.USUAL,
            List.of(),
            RateLimits.NONE,
            List.of(sinks));
    return new SinkCatalog(
        new Sources(List.of(source)), List.of(new Factory("log"), new Factory("http")));
  }

  private static SinkDefinition sink(String name, String type) {
    return new SinkDefinition(name, type, Map.of());
  }

  private final class Factory implements SinkFactory {
    private final String type;

    Factory(String type) {
      this.type = type;
    }

    @Override
    public String type() {
      return type;
    }

    @Override
    public Sink create(SourceRef source, String name, Map<String, String> settings) {
      if (settings.containsKey("wrong")) {
        throw new IllegalArgumentException("wrong is wrong");
      }
      var sink = new FakeSink();
      made.add(sink);
      return sink;
    }
  }

  private record Sources(Collection<Source> all) implements SourceDirectory {
    @Override
    public @Nullable Source find(String tenant, String name) {
      throw new UnsupportedOperationException();
    }
  }
}
