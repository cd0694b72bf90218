package dev.highwater.signature;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks requests by one scheme with the secrets of one source.
 *
 * <p>The signature comes before the time: {@code timestamp_out_of_tolerance} is only ever said of a
 * request that was truly signed, so whoever reads it knows that a clock is wrong or that somebody
 * repeats an old request, and not that a signature was guessed.
 *
 * <p>What a request lacks is {@code missing_signature}; what is there and cannot be read, or came
 * more often than once, is {@code malformed_signature}.
 */
final class SchemeVerifier {
  /** The longest signature: RSA with 8,192 bits in base64. */
  private static final int LONGEST = 1_368;

  private static final int MOST_ENTRIES = 32;

  private final Scheme scheme;
  private final List<Keys> keys;
  private final List<@Nullable URI> urls;

  SchemeVerifier(Scheme scheme, List<Keys> keys, @Nullable URI externalUrl) {
    this.scheme = scheme;
    this.keys = keys;
    this.urls = scheme.signed().urls(externalUrl);
  }

  /** Null where the request is signed as it must be. */
  @Nullable FailureReason check(UnverifiedRequest request) {
    if (scheme.items() == null) {
      return checkOne(request);
    }
    List<byte[]> items = scheme.items().of(request.body());
    if (items == null || items.isEmpty()) {
      return FailureReason.MISSING_SIGNATURE;
    }
    for (byte[] item : items) {
      FailureReason reason = checkOne(request.withBody(item));
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private @Nullable FailureReason checkOne(UnverifiedRequest request) {
    List<String> texts = scheme.place().texts(request);
    if (texts == null) {
      return FailureReason.MALFORMED_SIGNATURE;
    }
    if (texts.isEmpty() || lacksAHeader(request)) {
      return FailureReason.MISSING_SIGNATURE;
    }
    List<Entry> entries = entries(texts);
    if (entries == null) {
      return FailureReason.MALFORMED_SIGNATURE;
    }
    String timestamp = timestamp(request, entries);
    if (timestamp == null) {
      return FailureReason.MALFORMED_SIGNATURE;
    }
    FailureReason reason = compareWithEachUrl(request, entries, timestamp);
    if (reason != null) {
      return reason;
    }
    if (!scheme.signed().digestsMatch(request)) {
      return FailureReason.NO_MATCH;
    }
    Timestamp rule = scheme.timestamp();
    return rule == null || rule.isNear(timestamp, request.receivedAt())
        ? null
        : FailureReason.TIMESTAMP_OUT_OF_TOLERANCE;
  }

  private record Entry(String label, String value) {}

  private boolean lacksAHeader(UnverifiedRequest request) {
    Timestamp rule = scheme.timestamp();
    if (rule != null
        && rule.place() instanceof Timestamp.Place.Header(String name)
        && request.headers().first(name) == null) {
      return true;
    }
    for (String name : scheme.signed().headers()) {
      if (request.headers().first(name) == null) {
        return true;
      }
    }
    return false;
  }

  /** What the signature's text consists of, or null where it is not of its notation. */
  private @Nullable List<Entry> entries(List<String> texts) {
    List<Entry> entries = new ArrayList<>();
    for (String text : texts) {
      boolean readable =
          switch (scheme.notation()) {
            case Notation.Plain(String prefix) -> {
              if (text.startsWith(prefix)) {
                entries.add(new Entry("", text.substring(prefix.length())));
              }
              yield text.startsWith(prefix);
            }
            case Notation.Credentials(String name) -> {
              String credentials = credentials(text, name);
              if (credentials != null) {
                entries.add(new Entry("", credentials));
              }
              yield credentials != null;
            }
            case Notation.Entries(char separator, char assignment) ->
                split(text, separator, assignment, entries);
          };
      if (!readable || entries.size() > MOST_ENTRIES) {
        return null;
      }
    }
    return entries;
  }

  private static @Nullable String credentials(String text, String scheme) {
    int at = scheme.length();
    if (!text.regionMatches(true, 0, scheme, 0, at) || text.length() == at) {
      return null;
    }
    if (text.charAt(at) != ' ') {
      return null;
    }
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return text.substring(at);
  }

  private static boolean split(String text, char separator, char assignment, List<Entry> entries) {
    for (int at = 0; at <= text.length(); ) {
      int end = text.indexOf(separator, at);
      end = end < 0 ? text.length() : end;
      int value = text.indexOf(assignment, at);
      if (value < 0 || value >= end || entries.size() == MOST_ENTRIES) {
        return false;
      }
      entries.add(new Entry(text.substring(at, value), text.substring(value + 1, end)));
      at = end + 1;
    }
    return true;
  }

  /** The timestamp as it was sent, empty where the scheme has none, null where it is not one. */
  private @Nullable String timestamp(UnverifiedRequest request, List<Entry> entries) {
    Timestamp rule = scheme.timestamp();
    if (rule == null) {
      return "";
    }
    List<String> values =
        switch (rule.place()) {
          case Timestamp.Place.Header(String name) -> request.headers().all(name);
          case Timestamp.Place.Entry(String label) ->
              entries.stream().filter(e -> e.label().equals(label)).map(Entry::value).toList();
          case Timestamp.Place.Field(JsonField field) -> {
            String value = field.read(request.body());
            yield value == null ? List.of() : List.of(value);
          }
        };
    return values.size() == 1 && Timestamp.isWellFormed(values.getFirst())
        ? values.getFirst()
        : null;
  }

  private @Nullable FailureReason compareWithEachUrl(
      UnverifiedRequest request, List<Entry> entries, String timestamp) {
    FailureReason reason = null;
    for (URI url : urls) {
      List<Piece> signed = scheme.signed().fill(request, timestamp, url);
      reason = signed == null ? FailureReason.MALFORMED_SIGNATURE : compare(entries, signed);
      if (reason == null) {
        return null;
      }
    }
    return reason;
  }

  private @Nullable FailureReason compare(List<Entry> entries, List<Piece> signed) {
    boolean readable = false;
    for (Keys ofCheck : keys) {
      Check check = ofCheck.check();
      List<byte[]> candidates = new ArrayList<>();
      for (Entry entry : entries) {
        if (entry.label().equals(check.label()) && entry.value().length() <= LONGEST) {
          byte[] candidate = check.encoding().decode(entry.value());
          if (candidate != null && candidate.length > 0) {
            candidates.add(candidate);
          }
        }
      }
      if (candidates.size() > check.algorithm().mostCandidates()) {
        return FailureReason.MALFORMED_SIGNATURE;
      }
      if (candidates.isEmpty()) {
        continue;
      }
      readable = true;
      for (PreparedKey key : ofCheck.keys()) {
        if (key.matches(signed, candidates)) {
          return null;
        }
      }
    }
    return readable ? FailureReason.NO_MATCH : FailureReason.MALFORMED_SIGNATURE;
  }
}
