package dev.highwater.sink.log;

import dev.highwater.hook.Hook;
import dev.highwater.sink.Attempt;
import dev.highwater.sink.Outcome;
import dev.highwater.sink.Sink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one line per hook and calls it delivered. The line says what came, never what was in it
 * (G12): the only text in it that a stranger wrote is the media type, cut short and made printable.
 */
final class LogSink implements Sink {
  private static final Logger log = LoggerFactory.getLogger(LogSink.class);
  private static final int LONGEST_TYPE = 100;

  private final String name;

  LogSink(String name) {
    this.name = name;
  }

  @Override
  public Outcome deliver(Attempt attempt) {
    Hook.Content hook = attempt.hook().content();
    log.info(
        "Sink {} got hook {} of {}: {} bytes, {}",
        name,
        hook.id(),
        hook.source(),
        hook.body().length,
        mediaType(hook));
    return new Outcome.Delivered("logged");
  }

  /** Without its parameters. */
  private static String mediaType(Hook.Content hook) {
    String type = hook.headers().first("content-type");
    if (type == null) {
      return "no content type";
    }
    String bare = type.split(";", 2)[0].strip();
    return bare.substring(0, Math.min(LONGEST_TYPE, bare.length())).replaceAll("[^!-~]", "?");
  }

  @Override
  public void close() {}
}
