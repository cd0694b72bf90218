package dev.highwater.sink.log;

import dev.highwater.hook.SourceRef;
import dev.highwater.sink.Sink;
import dev.highwater.sink.SinkFactory;
import dev.highwater.sink.SinkSettings;
import java.util.Map;

/** Makes sinks of type {@code log}. They have no settings. */
public final class LogSinkFactory implements SinkFactory {
  record NoSettings() {}

  @Override
  public String type() {
    return "log";
  }

  @Override
  public Sink create(SourceRef source, String name, Map<String, String> settings) {
    SinkSettings.bind(NoSettings.class, settings);
    return new LogSink(name);
  }
}
