package dev.highwater.ingest;

import dev.highwater.hook.SourceRef;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code /webhooks/{source}} and {@code /webhooks/{tenant}/{source}} from a request URI as it
 * was sent. Nothing is decoded, normalized or trimmed first: there is one spelling for each source,
 * and whatever is spelt differently (an escape, {@code ..}, {@code ;x=y}, a doubled or trailing
 * slash, upper case) is no source at all.
 */
final class HookPath {
  private static final String PREFIX = "/webhooks/";

  private HookPath() {}

  /** Whether {@code rawUri} is where hooks are sent, if to no source there is. */
  static boolean isBelow(String rawUri) {
    return rawUri.startsWith(PREFIX);
  }

  /** The source that {@code rawUri} names, whether or not it exists; null if it names none. */
  static @Nullable SourceRef parse(String rawUri) {
    if (!isBelow(rawUri)) {
      return null;
    }
    int slash = rawUri.indexOf('/', PREFIX.length());
    String tenant = slash < 0 ? SourceRef.DEFAULT_TENANT : rawUri.substring(PREFIX.length(), slash);
    String source = rawUri.substring(slash < 0 ? PREFIX.length() : slash + 1);
    return SourceRef.isName(tenant) && SourceRef.isName(source)
        ? new SourceRef(tenant, source)
        : null;
  }
}
