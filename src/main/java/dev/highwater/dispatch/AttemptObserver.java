package dev.highwater.dispatch;

import dev.highwater.hook.SourceRef;
import dev.highwater.sink.Outcome;

/**
 * Is told of every attempt that has ended. Called on the attempt's own thread, several at once;
 * must return soon. What it throws is logged and changes nothing.
 */
public interface AttemptObserver {
  /** Nobody looks. */
  AttemptObserver NONE = (source, sink, outcome, nanos) -> {};

  /**
   * An attempt has ended; its outcome may not be written yet.
   *
   * @param outcome what came of it; a throwable of the sink counts as transient
   * @param nanos how long it took
   */
  void attemptEnded(SourceRef source, String sink, Outcome outcome, long nanos);
}
