package dev.highwater.ingest;

import dev.highwater.hook.SourceRef;
import dev.highwater.signature.FailureReason;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Remembers what it was told, as {@code source outcome}. */
final class FakeObserver implements IngestObserver {
  final List<String> seen = new CopyOnWriteArrayList<>();

  @Override
  public void answered(@Nullable SourceRef source, String outcome, long bodyBytes, long nanos) {
    seen.add((source == null ? "-" : source) + " " + outcome + " " + bodyBytes);
  }

  @Override
  public void verificationFailed(SourceRef source, FailureReason reason) {
    seen.add(source + " failed " + reason.code());
  }
}
