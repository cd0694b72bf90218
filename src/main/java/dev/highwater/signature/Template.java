package dev.highwater.signature;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
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

    /**
     * The same, but tried with and without its port: a provider may leave the default one out or
     * put it in. The query is the one of the request, if it has any.
     */
    record UrlOfAnyPort() implements Part {}

    /** The same URL with the escapes of {@code :/?@!$'()*,;} decoded. */
    record UrlWithoutEscapes() implements Part {}

    /**
     * Nothing, but a parameter of the query must be the SHA-256 of the body in hex: so the body is
     * signed by way of the URL.
     */
    record BodyDigest(String parameter) implements Part {}

    /** The HTTP method. */
    record Method() implements Part {}

    /** The timestamp, as it was sent. */
    record Timestamp() implements Part {}

    /** The one value of a header. */
    record Header(String name) implements Part {}

    /** A field of the JSON body. */
    record Field(JsonField field) implements Part {}

    /** A field of the JSON body; nothing where it is not there. */
    record OptionalField(JsonField field) implements Part {}

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
   * url-any-port}, {@code url-without-escapes}, {@code method}, {@code timestamp}, {@code form},
   * {@code secret}, {@code header:<name>}, {@code field:<path>}, {@code field?:<path>} (nothing
   * where it is not there) and {@code digest:<parameter>}. Example: <code>v0:{timestamp}:{body}
   * </code>.
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
    if (name.startsWith("field?:")) {
      return new Part.OptionalField(JsonField.parse(name.substring("field?:".length())));
    }
    if (name.startsWith("digest:")) {
      return new Part.BodyDigest(name.substring("digest:".length()));
    }
    if (name.startsWith("field:")) {
      return new Part.Field(JsonField.parse(name.substring("field:".length())));
    }
    return switch (name) {
      case "body" -> new Part.Body();
      case "url" -> new Part.Url();
      case "url-any-port" -> new Part.UrlOfAnyPort();
      case "url-without-escapes" -> new Part.UrlWithoutEscapes();
      case "method" -> new Part.Method();
      case "timestamp" -> new Part.Timestamp();
      case "form" -> new Part.SortedForm();
      case "secret" -> new Part.Secret();
      default -> throw new IllegalArgumentException("{" + name + "} is not known");
    };
  }

  /** Whether the source must say by which URL it is called. */
  boolean needsUrl() {
    return parts.stream()
        .anyMatch(
            part ->
                part instanceof Part.Url
                    || part instanceof Part.UrlOfAnyPort
                    || part instanceof Part.UrlWithoutEscapes);
  }

  /** The URLs to try, of which {@link #fill} takes one; at least one element, which may be null. */
  List<@Nullable URI> urls(@Nullable URI externalUrl) {
    List<@Nullable URI> urls = new ArrayList<>(2);
    urls.add(externalUrl);
    if (externalUrl != null && parts.contains(new Part.UrlOfAnyPort())) {
      urls.add(ExternalUrl.withPortToggled(externalUrl));
    }
    return Collections.unmodifiableList(urls);
  }

  /** Whether each digest of the body that stands in the query is the one of this body. */
  boolean digestsMatch(UnverifiedRequest request) {
    for (Part part : parts) {
      if (part instanceof Part.BodyDigest(String parameter)
          && !BodyDigests.isIn(request, parameter)) {
        return false;
      }
    }
    return true;
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
   * @param externalUrl one of {@link #urls}
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
            case Part.Url() -> utf8OrNull(ExternalUrl.called(externalUrl, request.target()));
            case Part.UrlOfAnyPort() ->
                utf8OrNull(ExternalUrl.withQueryOf(externalUrl, request.target()));
            case Part.UrlWithoutEscapes() -> {
              String url = ExternalUrl.called(externalUrl, request.target());
              yield url == null ? null : utf8(ExternalUrl.withoutEscapes(url));
            }
            case Part.BodyDigest any -> new byte[0];
            case Part.Method() -> utf8(request.method());
            case Part.Timestamp() -> utf8(timestamp);
            case Part.Header(String name) -> header(request, name);
            case Part.Field(JsonField field) -> utf8OrNull(field.read(request.body()));
            case Part.OptionalField(JsonField field) ->
                utf8OrNull(field.readOrEmpty(request.body()));
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

  private static byte @Nullable [] utf8OrNull(@Nullable String text) {
    return text == null ? null : utf8(text);
  }

  private static byte @Nullable [] header(UnverifiedRequest request, String name) {
    List<String> values = request.headers().all(name);
    return values.size() == 1 ? utf8(values.getFirst()) : null;
  }
}
