package dev.highwater.sink.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which headers of the provider go on, and which may be configured. Names in lower case. */
final class HeaderRules {
  /** They belong to one connection, or frame the body; the client writes its own. */
  private static final Set<String> OF_THE_CONNECTION =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /** Ours; a provider that sends them could pass its own word for ours. */
  private static final List<String> OUR_PREFIXES = List.of("webhook-", "highwater-");

  /** Credentials meant for us, the way to us, and what would change the answer's shape. */
  private static final Set<String> NOT_FORWARDED =
      Set.of(
          "accept-encoding",
          "authorization",
          "cookie",
          "forwarded",
          "user-agent",
          "via",
          "x-real-ip");

  private static final List<String> PREFIXES_NOT_FORWARDED = List.of("proxy-", "x-forwarded-");

  private HeaderRules() {}

  /** Whether a header the provider sent goes on to the sink. */
  static boolean mayForward(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return mayConfigure(lower)
        && !NOT_FORWARDED.contains(lower)
        && PREFIXES_NOT_FORWARDED.stream().noneMatch(lower::startsWith);
  }

  /** Whether the configuration may set a header. */
  static boolean mayConfigure(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return !OF_THE_CONNECTION.contains(lower) && OUR_PREFIXES.stream().noneMatch(lower::startsWith);
  }

  /** Whether {@code text} is a token as RFC 9110 has it. */
  static boolean isName(String text) {
    return !text.isEmpty()
        && text.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
  }

  /** Whether {@code text} is printable ASCII and tabs: nothing that could end a line. */
  static boolean isValue(String text) {
    return text.chars().allMatch(c -> (c >= ' ' && c <= '~') || c == '\t');
  }
}
