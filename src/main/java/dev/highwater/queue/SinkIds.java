package dev.highwater.queue;

import dev.highwater.hook.SourceRef;

/**
 * The numbers by which the store knows sinks. One is given once to a tenant, source and sink name
 * and never to another.
 */
public interface SinkIds {
  /**
   * The id of a configured sink; above 0.
   *
   * @throws IllegalArgumentException if that sink was not configured when the service started
   */
  int idOf(SourceRef source, String sink);
}
