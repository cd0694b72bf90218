package dev.highwater.signature;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is signed, as a list of parts. A template is read once; for each request it becomes pieces,
 * of which the body is one, uncopied.
 *
 * @param parts in the order in which they are signed
 */
public record Template(List<Part> parts) {

  /** One part of what is signed. */
  public sealed interface Part {
    /** Always the same text. */
    record Literal(String text) implements Part {}

    /** The raw body. */
    record Body() implements Part {}

    /** The URL the provider calls, as the source's {@code external-url} has it. */
    record Url() implements Part {}

    /** The HTTP method. */
    record Method() implements Part {}

    /** The timestamp, as it was sent. */
    record Timestamp() implements Part {}

    /** The one value of a header. */
    record Header(String name) implements Part {}

    /** A field of the JSON body. */
    record Field(JsonField field) implements Part {}

    /** Each parameter of a form body, sorted by name and value: name, value, nothing between. */
    record SortedForm() implements Part {}

    /** The secret itself, for schemes that hash it with the rest. */
    record Secret() implements Part {}
  }

  public Template {
    parts = List.copyOf(parts);
  }

  /**
   * Reads a template: text with places in braces, which are {@code body}, {@code url}, {@code
   * method}, {@code timestamp}, {@code form}, {@code secret}, {@code header:<name>} and {@code
   * field:<path>}. Example: <code>v0:{timestamp}:{body}</code>.
   *
   * @throws IllegalArgumentException if a brace has no partner or a place is not known
   */
  public static Template parse(String text) {
    List<Part> parts = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf('{', at);
      int literalEnd = open < 0 ? text.length() : open;
      if (literalEnd > at) {
        parts.add(new Part.Literal(text.substring(at, literalEnd)));
      }
      if (open < 0) {
        break;
      }
      int close = text.indexOf('}', open);
      if (close < 0) {
        throw new IllegalArgumentException("a '{' has no '}' after it");
      }
      parts.add(place(text.substring(open + 1, close)));
      at = close + 1;
    }
    return new Template(parts);
  }

  private static Part place(String name) {
    if (name.startsWith("header:")) {
      return new Part.Header(name.substring("header:".length()));
    }
    if (name.startsWith("field:")) {
      return new Part.Field(JsonField.parse(name.substring("field:".length())));
    }
    return switch (name) {
      case "body" -> new Part.Body();
      case "url" -> new Part.Url();
      case "method" -> new Part.Method();
      case "timestamp" -> new Part.Timestamp();
      case "form" -> new Part.SortedForm();
      case "secret" -> new Part.Secret();
      default -> throw new IllegalArgumentException("{" + name + "} is not known");
    };
  }

  /** Whether the source must say by which URL it is called. */
  boolean needsUrl() {
    return parts.contains(new Part.Url());
  }

  /** Names of the headers that are signed. */
  List<String> headers() {
    List<String> names = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Part.Header(String name)) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * The signed bytes of a request.
   *
   * @param timestamp as it was sent; empty where the scheme has none
   * @param externalUrl the source's, or null
   * @return null where a part is not there in a usable form
   */
  @Nullable List<Piece> fill(
      UnverifiedRequest request, String timestamp, @Nullable URI externalUrl) {
    List<Piece> pieces = new ArrayList<>(parts.size());
    for (Part part : parts) {
      byte[] bytes =
          switch (part) {
            case Part.Literal(String text) -> utf8(text);
            case Part.Body() -> request.body();
            case Part.Url() -> url(request, externalUrl);
            case Part.Method() -> utf8(request.method());
            case Part.Timestamp() -> utf8(timestamp);
            case Part.Header(String name) -> header(request, name);
            case Part.Field(JsonField field) -> field(request, field);
            case Part.SortedForm() -> FormParameters.sorted(request);
            case Part.Secret() -> null;
          };
      if (bytes != null) {
        pieces.add(new Piece.Bytes(bytes));
      } else if (part instanceof Part.Secret) {
        pieces.add(new Piece.OfSecret());
      } else {
        return null;
      }
    }
    return pieces;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The external URL; the query of the request where it has none of its own. */
  private static byte @Nullable [] url(UnverifiedRequest request, @Nullable URI externalUrl) {
    if (externalUrl == null) {
      return null;
    }
    int query = request.target().indexOf('?');
    boolean complete = externalUrl.getRawQuery() != null || query < 0;
    return utf8(
        complete ? externalUrl.toString() : externalUrl + request.target().substring(query));
  }

  private static byte @Nullable [] header(UnverifiedRequest request, String name) {
    List<String> values = request.headers().all(name);
    return values.size() == 1 ? utf8(values.getFirst()) : null;
  }

  private static byte @Nullable [] field(UnverifiedRequest request, JsonField field) {
    String value = field.read(request.body());
    return value == null ? null : utf8(value);
  }
}
