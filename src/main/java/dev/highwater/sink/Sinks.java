package dev.highwater.sink;

import dev.highwater.hook.SourceRef;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The transports there are, by type. Immutable; any thread may call. */
public final class Sinks {
  private final Map<String, SinkFactory> factories = new TreeMap<>();

  /**
   * @throws IllegalArgumentException if two factories make the same type
   */
  public Sinks(Collection<SinkFactory> factories) {
    for (SinkFactory factory : factories) {
      if (this.factories.putIfAbsent(factory.type(), factory) != null) {
        throw new IllegalArgumentException("two factories make sinks of type " + factory.type());
      }
    }
  }

  /** The known types. */
  public Set<String> types() {
    return Set.copyOf(factories.keySet());
  }

  /**
   * Makes a sink; connects to nothing.
   *
   * @param source whose sink it is
   * @param name of the sink
   * @param type one of {@link #types()}
   * @param settings every key but name and type, dotted and indexed as in a properties file
   * @throws IllegalArgumentException in one line that names the sink and the key which is wrong,
   *     never a secret value
   */
  public Sink create(SourceRef source, String name, String type, Map<String, String> settings) {
    String which = "sink " + name + " of source " + source + ": ";
    SinkFactory factory = factories.get(type);
    if (factory == null) {
      throw new IllegalArgumentException(
          which
              + "there is no type \""
              + type
              + "\", only "
              + String.join(", ", factories.keySet()));
    }
    try {
      return factory.create(source, name, settings);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(which + e.getMessage(), e);
    }
  }
}
