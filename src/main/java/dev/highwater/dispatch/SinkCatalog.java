package dev.highwater.dispatch;

import dev.highwater.queue.SinkIds;
import dev.highwater.sink.Sink;
import dev.highwater.sink.SinkFactory;
import dev.highwater.source.SinkDefinition;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/** Makes a lane with its sink for every configured sink. */
final class SinkCatalog {
  private static final Logger log = LoggerFactory.getLogger(SinkCatalog.class);

  private final SourceDirectory sources;
  private final Map<String, SinkFactory> factories = new TreeMap<>();

  /**
   * @throws IllegalArgumentException if two factories make the same type
   */
  SinkCatalog(SourceDirectory sources, Collection<SinkFactory> factories) {
    this.sources = sources;
    for (SinkFactory factory : factories) {
      if (this.factories.put(factory.type(), factory) != null) {
        throw new IllegalArgumentException("two factories make sinks of type " + factory.type());
      }
    }
  }

  /**
   * Makes them all, connecting to nothing.
   *
   * @throws IllegalArgumentException if a sink is of an unknown type or has a wrong setting; the
   *     message names source, sink and key, and what was made before is closed
   */
  List<Lane> makeLanes(SinkIds ids) {
    List<Lane> lanes = new ArrayList<>();
    Map<String, Tenant> tenants = new HashMap<>();
    try {
      for (Source source : sources.all()) {
        var tenant = tenants.computeIfAbsent(source.ref().tenant(), name -> new Tenant());
        for (SinkDefinition definition : source.sinks()) {
          lanes.add(makeLane(ids, source, definition, tenant));
        }
      }
    } catch (RuntimeException e) {
      close(lanes);
      throw e;
    }
    return lanes;
  }

  /** A body that is larger than all bodies together may be has to wait until it is alone. */
  void warnOfBodiesAbove(DataSize maxBytes) {
    for (Source source : sources.all()) {
      if (source.maxBody() > maxBytes.toBytes()) {
        log.warn(
            "Source {} takes bodies of up to {} bytes, and highwater.dispatch.max-bytes is {}: a"
                + " larger one is delivered only while no other body is.",
            source.ref(),
            source.maxBody(),
            maxBytes);
      }
    }
  }

  private Lane makeLane(SinkIds ids, Source source, SinkDefinition definition, Tenant tenant) {
    SinkFactory factory = factories.get(definition.type());
    if (factory == null) {
      throw new IllegalArgumentException(
          "sink "
              + definition.name()
              + " of source "
              + source.ref()
              + " has the unknown type \""
              + definition.type()
              + "\"; there are "
              + String.join(", ", factories.keySet()));
    }
    try {
      var settings = RetrySettings.takenFrom(definition.settings());
      int id = ids.idOf(source.ref(), definition.name());
      Sink sink = factory.create(source.ref(), definition.name(), settings.rest());
      return new Lane(id, source.ref(), definition.name(), sink, settings.policy(), tenant);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "sink " + definition.name() + " of source " + source.ref() + ": " + e.getMessage(), e);
    }
  }

  /** Closes every sink; one that fails to close holds up no other. */
  static void close(Collection<Lane> lanes) {
    for (Lane lane : lanes) {
      try {
        lane.sink().close();
      } catch (RuntimeException | Error e) {
        log.warn("Sink {} did not close properly: {}", lane, e.getClass().getName());
      }
    }
  }
}
