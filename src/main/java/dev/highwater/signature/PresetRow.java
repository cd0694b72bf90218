package dev.highwater.signature;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way of signing, put together so that a provider reads as a row of a table. What is left out
 * is what most providers do: HMAC-SHA256 of the body in hex, the secret as it is, no time.
 */
final class PresetRow {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private final SignaturePlace place;
  private Notation notation = new Notation.Plain("");
  private final List<Check> checks = new ArrayList<>();
  private Template signed = Template.parse("{body}");
  private @Nullable Timestamp timestamp;
  private @Nullable JsonItems items;
  private Condition when = new Condition.Always();

  private PresetRow(SignaturePlace place) {
    this.place = place;
  }

  static PresetRow header(String name) {
    return new PresetRow(new SignaturePlace.Header(name));
  }

  static PresetRow headers(List<String> names) {
    return new PresetRow(new SignaturePlace.Headers(names));
  }

  static PresetRow query(String name) {
    return new PresetRow(new SignaturePlace.Query(name));
  }

  static PresetRow field(String path) {
    return new PresetRow(new SignaturePlace.Field(JsonField.parse(path)));
  }

  PresetRow prefix(String prefix) {
    notation = new Notation.Plain(prefix);
    return this;
  }

  PresetRow credentials(String scheme) {
    notation = new Notation.Credentials(scheme);
    return this;
  }

  PresetRow entries(char separator, char assignment) {
    notation = new Notation.Entries(separator, assignment);
    return this;
  }

  PresetRow check(Algorithm algorithm, Encoding encoding, SecretForm secret) {
    return check("", algorithm, encoding, secret);
  }

  PresetRow check(String label, Algorithm algorithm, Encoding encoding, SecretForm secret) {
    checks.add(new Check(label, algorithm, encoding, secret));
    return this;
  }

  /** What stands there is the secret itself. */
  PresetRow token() {
    return check(Algorithm.TOKEN, Encoding.RAW, SecretForm.RAW).signs("");
  }

  PresetRow signs(String template) {
    signed = Template.parse(template);
    return this;
  }

  PresetRow secondsInHeader(String name, Duration tolerance) {
    timestamp = new Timestamp(new Timestamp.Place.Header(name), SECOND, tolerance);
    return this;
  }

  PresetRow millisInHeader(String name, Duration tolerance) {
    timestamp = new Timestamp(new Timestamp.Place.Header(name), MILLISECOND, tolerance);
    return this;
  }

  PresetRow secondsInEntry(String label, Duration tolerance) {
    timestamp = new Timestamp(new Timestamp.Place.Entry(label), SECOND, tolerance);
    return this;
  }

  PresetRow secondsInField(String path, Duration tolerance) {
    timestamp = new Timestamp(new Timestamp.Place.Field(JsonField.parse(path)), SECOND, tolerance);
    return this;
  }

  PresetRow millisInField(String path, Duration tolerance) {
    timestamp =
        new Timestamp(new Timestamp.Place.Field(JsonField.parse(path)), MILLISECOND, tolerance);
    return this;
  }

  /** All of this is said of each item of that list of the body. */
  PresetRow eachOf(JsonItems list) {
    items = list;
    return this;
  }

  PresetRow when(Condition condition) {
    when = condition;
    return this;
  }

  Preset.Variant keyed(EventKey key) {
    List<Check> all =
        checks.isEmpty()
            ? List.of(new Check("", Algorithm.HMAC_SHA256, Encoding.HEX, SecretForm.RAW))
            : checks;
    return new Preset.Variant(
        new Scheme(place, notation, all, signed, timestamp, items), key, when);
  }

  /** A preset of one way or several, the one that wins first. */
  static Preset preset(String type, Preset.Variant... ways) {
    return new Preset(type, List.of(ways), new EventKey.None());
  }

  static EventKey inHeader(String name) {
    return new EventKey.Header(name);
  }

  static EventKey inBody(String path) {
    return new EventKey.Field(JsonField.parse(path));
  }
}
