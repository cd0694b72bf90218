package dev.highwater.sink.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.highwater.hook.Headers;
import dev.highwater.hook.SourceRef;
import dev.highwater.sink.Attempts;
import dev.highwater.sink.Outcome;
import dev.highwater.sink.Sink;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogSinkTest {
  private static final SourceRef SOURCE = new SourceRef("acme", "stripe");

  private final Logger logger = (Logger) LoggerFactory.getLogger(LogSink.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
  }

  @Test
  void writesOneLineThatSaysWhatCameAndNotWhatWasInIt() throws Exception {
    try (Sink sink = new LogSinkFactory().create(SOURCE, "console", Map.of())) {
      Outcome outcome =
          sink.deliver(
              Attempts.of(
                  1,
                  "canary body".getBytes(UTF_8),
                  Headers.of("Content-Type", "application/json; x=canary", "X-Key", "canary")));
      assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    }
    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.getFirst().getLevel()).isEqualTo(Level.INFO);
    assertThat(lines.list.getFirst().getFormattedMessage())
        .isEqualTo(
            "Sink console got hook "
                + Attempts.id(1)
                + " of acme/stripe: 11 bytes, application/json");
  }

  @Test
  void aContentTypeCannotForgeLinesOrFloodThem() throws Exception {
    try (Sink sink = new LogSinkFactory().create(SOURCE, "console", Map.of())) {
      sink.deliver(
          Attempts.of(
              1,
              new byte[0],
              Headers.of("content-type", "a\r\n\u001b[31mforged" + "x".repeat(1000))));
    }
    assertThat(lines.list.getFirst().getFormattedMessage())
        .contains("a???[31mforged")
        .doesNotContain("\n")
        .hasSizeLessThan(250);
  }

  @Test
  void aHookWithoutContentTypeIsLogged() throws Exception {
    try (Sink sink = new LogSinkFactory().create(SOURCE, "console", Map.of())) {
      sink.deliver(Attempts.of(1, new byte[3], Headers.none()));
    }
    assertThat(lines.list.getFirst().getFormattedMessage()).endsWith("3 bytes, no content type");
  }

  @Test
  void hasNoSettings() {
    assertThatThrownBy(() -> new LogSinkFactory().create(SOURCE, "console", Map.of("level", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("level ");
  }
}
