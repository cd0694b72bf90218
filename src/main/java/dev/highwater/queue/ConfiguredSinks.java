package dev.highwater.queue;

import dev.highwater.hook.SourceRef;
import java.util.List;

/**
 * The sinks that are configured, for giving out their ids.
 *
 * @param names each once
 */
public record ConfiguredSinks(List<Name> names) {
  /** A sink by its names. */
  public record Name(SourceRef source, String sink) {}

  /** Whether more than one tenant has sinks: then one of them gets at most half of the room. */
  boolean severalTenants() {
    return names.stream().map(name -> name.source().tenant()).distinct().count() > 1;
  }
}
