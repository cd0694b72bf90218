package dev.highwater.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.SourceRef;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SinksTest {
  private static final SourceRef STRIPE = SourceRef.of("stripe");

  @Test
  void makesASinkByItsType() {
    var sinks = new Sinks(List.of(new Fake("log"), new Fake("http")));
    assertThat(sinks.create(STRIPE, "main", "http", Map.of())).hasToString("http main");
    assertThat(sinks.types()).containsExactlyInAnyOrder("http", "log");
  }

  @Test
  void anUnknownTypeIsAnsweredWithTheKnownOnes() {
    var sinks = new Sinks(List.of(new Fake("log"), new Fake("http")));
    assertThatThrownBy(() -> sinks.create(STRIPE, "main", "htpp", Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "sink main of source default/stripe: there is no type \"htpp\", only http, log");
  }

  @Test
  void whatIsWrongNamesTheSink() {
    var sinks = new Sinks(List.of(new Fake("http")));
    assertThatThrownBy(() -> sinks.create(STRIPE, "main", "http", Map.of("wrong", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sink main of source default/stripe: wrong is wrong");
  }

  @Test
  void twoFactoriesOfOneTypeAreRefused() {
    assertThatThrownBy(() -> new Sinks(List.of(new Fake("http"), new Fake("http"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http");
  }

  private record Fake(String type) implements SinkFactory {
    @Override
    public Sink create(SourceRef source, String name, Map<String, String> settings) {
      if (settings.containsKey("wrong")) {
        throw new IllegalArgumentException("wrong is wrong");
      }
      return new Sink() {
        @Override
        public Outcome deliver(Attempt attempt) {
          return new Outcome.Delivered("fake");
        }

        @Override
        public void close() {}

        @Override
        public String toString() {
          return type + " " + name;
        }
      };
    }
  }
}
