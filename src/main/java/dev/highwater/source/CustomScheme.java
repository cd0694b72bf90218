package dev.highwater.source;

import dev.highwater.signature.Algorithm;
import dev.highwater.signature.Check;
import dev.highwater.signature.Encoding;
import dev.highwater.signature.EventKey;
import dev.highwater.signature.JsonField;
import dev.highwater.signature.JsonItems;
import dev.highwater.signature.Notation;
import dev.highwater.signature.Preset;
import dev.highwater.signature.Scheme;
import dev.highwater.signature.SecretForm;
import dev.highwater.signature.SignaturePlace;
import dev.highwater.signature.Template;
import dev.highwater.signature.Timestamp;
import dev.highwater.source.SchemeProperties.EventKeyProperties;
import dev.highwater.source.SchemeProperties.SignatureProperties;
import dev.highwater.source.SchemeProperties.TimestampProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a scheme of what is configured for {@code type: custom}, or says which key is wrong. What
 * would verify anything, or a time that nobody signed, is a mistake too.
 */
final class CustomScheme {
  static final String TYPE = "custom";

  private final String key;

  private CustomScheme(String key) {
    this.key = key;
  }

  /**
   * The preset of one source.
   *
   * @param key the full key of the scheme
   * @throws SourceConfigurationException at the first mistake
   */
  static Preset of(String key, @Nullable SchemeProperties properties) {
    if (properties == null) {
      throw new SourceConfigurationException(
          key, "is missing: the type custom needs one, see docs/custom-schemes.md");
    }
    return new CustomScheme(key).preset(properties);
  }

  private Preset preset(SchemeProperties properties) {
    SignatureProperties signature = properties.signature();
    if (signature == null) {
      throw wrong(".signature", "is missing: say where the signature stands, as {header: <name>}");
    }
    SignaturePlace place = place(signature);
    Notation notation = notation(signature);
    Algorithm algorithm = one(".algorithm", properties.algorithm(), Algorithm.values());
    Encoding encoding = one(".encoding", properties.encoding(), Encoding.values());
    SecretForm secret = one(".secret-form", properties.secretForm(), SecretForm.values());
    Timestamp timestamp = timestamp(properties.timestamp(), notation);
    Template signed = signed(properties.signed(), algorithm, timestamp);
    String label = signature.label() == null ? "" : signature.label();
    JsonItems items =
        properties.eachOf() == null
            ? null
            : new JsonItems(EventKeys.path(key + ".each-of", properties.eachOf()));
    if (items != null && signature.body() == null) {
      throw wrong(".each-of", "needs signature.body: the place of the signature in each item");
    }
    Scheme scheme =
        new Scheme(
            place,
            notation,
            List.of(new Check(label, algorithm, encoding, secret)),
            signed,
            timestamp,
            items);
    EventKey eventKey = eventKey(properties.eventKey());
    return new Preset(TYPE, List.of(new Preset.Variant(scheme, eventKey)), new EventKey.None());
  }

  private SignaturePlace place(SignatureProperties signature) {
    String at = key + ".signature";
    List<SignaturePlace> places = new ArrayList<>();
    if (signature.header() != null) {
      EventKeys.header(at + ".header", signature.header());
      places.add(new SignaturePlace.Header(signature.header()));
    }
    if (!signature.headers().isEmpty()) {
      if (signature.headers().size() > 32) {
        throw wrong(".signature.headers", "has more than 32 headers");
      }
      for (int i = 0; i < signature.headers().size(); i++) {
        EventKeys.header(at + ".headers[" + i + "]", signature.headers().get(i));
      }
      places.add(new SignaturePlace.Headers(signature.headers()));
    }
    if (signature.query() != null) {
      if (signature.query().isEmpty()) {
        throw wrong(".signature.query", "is empty; name the parameter of the query");
      }
      places.add(new SignaturePlace.Query(signature.query()));
    }
    if (signature.body() != null) {
      JsonField field = EventKeys.path(at + ".body", signature.body());
      places.add(new SignaturePlace.Field(field));
    }
    if (places.size() != 1) {
      throw wrong(".signature", "must have one of header, headers, query and body");
    }
    return places.getFirst();
  }

  private Notation notation(SignatureProperties signature) {
    boolean entries =
        signature.separator() != null
            || signature.assignment() != null
            || signature.label() != null;
    int ways =
        (signature.prefix() != null ? 1 : 0)
            + (signature.credentials() != null ? 1 : 0)
            + (entries ? 1 : 0);
    if (ways > 1) {
      throw wrong(
          ".signature", "must have one of prefix, credentials, or separator, assignment and label");
    }
    if (signature.credentials() != null) {
      EventKeys.header(key + ".signature.credentials", signature.credentials());
      return new Notation.Credentials(signature.credentials());
    }
    if (!entries) {
      return new Notation.Plain(signature.prefix() == null ? "" : signature.prefix());
    }
    char separator = character(".signature.separator", signature.separator());
    char assignment = character(".signature.assignment", signature.assignment());
    if (separator == assignment) {
      throw wrong(".signature.assignment", "must differ from the separator");
    }
    if (signature.label() == null || signature.label().isEmpty()) {
      throw wrong(".signature.label", "is missing: name the entries that are signatures, as v1");
    }
    return new Notation.Entries(separator, assignment);
  }

  private char character(String name, @Nullable String text) {
    if (text == null || text.length() != 1) {
      throw wrong(name, "must be one character, in quotes");
    }
    return text.charAt(0);
  }

  private @Nullable Timestamp timestamp(
      @Nullable TimestampProperties properties, Notation notation) {
    if (properties == null) {
      return null;
    }
    String at = key + ".timestamp";
    List<Timestamp.Place> places = new ArrayList<>();
    if (properties.header() != null) {
      EventKeys.header(at + ".header", properties.header());
      places.add(new Timestamp.Place.Header(properties.header()));
    }
    if (properties.label() != null) {
      if (!(notation instanceof Notation.Entries)) {
        throw wrong(".timestamp.label", "needs signature.separator and signature.assignment");
      }
      places.add(new Timestamp.Place.Entry(properties.label()));
    }
    if (properties.body() != null) {
      places.add(new Timestamp.Place.Field(EventKeys.path(at + ".body", properties.body())));
    }
    if (places.size() != 1) {
      throw wrong(".timestamp", "must have one of header, label and body");
    }
    Duration unit =
        switch (properties.unit()) {
          case "s" -> Duration.ofSeconds(1);
          case "ms" -> Duration.ofMillis(1);
          default ->
              throw wrong(".timestamp.unit", "\"" + properties.unit() + "\" is wrong; use s or ms");
        };
    SourceFactory.requireTolerance(at + ".tolerance", properties.tolerance());
    return new Timestamp(places.getFirst(), unit, properties.tolerance());
  }

  private Template signed(
      @Nullable String text, Algorithm algorithm, @Nullable Timestamp timestamp) {
    if (algorithm == Algorithm.TOKEN) {
      if (text != null || timestamp != null) {
        throw wrong(text == null ? ".timestamp" : ".signed", "a token signs nothing; remove it");
      }
      return new Template(List.of());
    }
    if (text == null || text.isEmpty()) {
      throw wrong(".signed", "is missing: say what is signed, as \"{timestamp}.{body}\"");
    }
    Template template;
    try {
      template = Template.parse(text);
    } catch (IllegalArgumentException e) {
      throw new SourceConfigurationException(
          key + ".signed", "\"" + text + "\" is wrong: " + e.getMessage(), e);
    }
    boolean hasSecret = template.parts().contains(new Template.Part.Secret());
    if (hasSecret != (algorithm == Algorithm.SHA256)) {
      throw wrong(
          ".signed",
          hasSecret
              ? "has {secret}, which is for the algorithm sha256 only; the others have a key"
              : "needs {secret}: without it anybody can make the digest");
    }
    if (template.parts().stream().allMatch(CustomScheme::isTheSameForAll)) {
      throw wrong(".signed", "has nothing of the request; add {body}");
    }
    boolean names = template.parts().contains(new Template.Part.Timestamp());
    if (names && timestamp == null) {
      throw wrong(".timestamp", "is missing: {timestamp} stands in what is signed");
    }
    if (timestamp != null && !names && !coversTime(template, timestamp)) {
      throw wrong(".signed", "needs {timestamp}: a time that is not signed can be anything");
    }
    return template;
  }

  private static boolean isTheSameForAll(Template.Part part) {
    return part instanceof Template.Part.Literal || part instanceof Template.Part.Secret;
  }

  private static boolean coversTime(Template template, Timestamp timestamp) {
    return switch (timestamp.place()) {
      case Timestamp.Place.Header(String name) ->
          template.parts().stream()
              .anyMatch(
                  part ->
                      part instanceof Template.Part.Header(String signed)
                          && signed.equalsIgnoreCase(name));
      case Timestamp.Place.Entry any -> false;
      case Timestamp.Place.Field(JsonField field) ->
          template.parts().contains(new Template.Part.Body())
              || template.parts().contains(new Template.Part.Field(field));
    };
  }

  private EventKey eventKey(@Nullable EventKeyProperties properties) {
    if (properties == null) {
      return new EventKey.None();
    }
    String at = key + ".event-key";
    List<EventKey> keys = new ArrayList<>();
    if (properties.header() != null) {
      keys.add(EventKeys.header(at + ".header", properties.header()));
    }
    if (properties.body() != null) {
      keys.add(EventKeys.field(at + ".body", properties.body()));
    }
    if (properties.join() != null) {
      keys.add(EventKeys.join(at + ".join", properties.join()));
    }
    if (properties.hash() != null) {
      if (!properties.hash().equals("body")) {
        throw wrong(".event-key.hash", "\"" + properties.hash() + "\" is wrong; use body");
      }
      keys.add(new EventKey.BodyHash());
    }
    if (keys.size() != 1) {
      throw wrong(".event-key", "must have one of header, body, join and hash");
    }
    return keys.getFirst();
  }

  /** The constant that is written in lower case with hyphens. */
  private <E extends Enum<E>> E one(String name, @Nullable String text, E[] constants) {
    for (E constant : constants) {
      if (written(constant).equals(text)) {
        return constant;
      }
    }
    String known = String.join(", ", Stream.of(constants).map(CustomScheme::written).toList());
    throw wrong(
        name,
        (text == null || text.isEmpty() ? "is missing" : "\"" + text + "\" is not known")
            + "; use one of "
            + known);
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private SourceConfigurationException wrong(String name, String problem) {
    return new SourceConfigurationException(key + name, problem);
  }
}
