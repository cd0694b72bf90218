package dev.highwater.signature;

import static java.util.Objects.requireNonNull;

import dev.highwater.hook.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request that was signed by somebody else: published by the provider, or made with its library.
 * Where it came from stands beside each in the file.
 */
public record Vector(
    String name,
    String preset,
    String secret,
    @Nullable String url,
    long now,
    byte[] body,
    Map<String, String> headers) {

  static List<Vector> all() {
    try (InputStream file = Vector.class.getResourceAsStream("vectors.json")) {
      List<Vector> vectors = new ArrayList<>();
      for (JsonNode node :
          JsonMapper.shared().readTree(Objects.requireNonNull(file)).get("cases")) {
        Map<String, String> headers = new LinkedHashMap<>();
        node.get("headers")
            .properties()
            .forEach(h -> headers.put(h.getKey(), h.getValue().asString()));
        JsonNode contentType = node.get("contentType");
        if (contentType != null) {
          headers.put("Content-Type", contentType.asString());
        }
        JsonNode url = node.get("url");
        JsonNode now = node.get("now");
        vectors.add(
            new Vector(
                node.get("name").asString(),
                node.get("preset").asString(),
                node.get("secret").asString(),
                url == null ? null : url.asString(),
                now == null ? 1_700_000_000L : now.asLong(),
                node.get("body").asString().getBytes(StandardCharsets.UTF_8),
                headers));
      }
      return vectors;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The one of that name. */
  public static Vector named(String name) {
    return all().stream().filter(v -> v.name().equals(name)).findFirst().orElseThrow();
  }

  UnverifiedRequest request() {
    return request(body, headers);
  }

  UnverifiedRequest request(byte[] otherBody, Map<String, String> otherHeaders) {
    List<String> pairs = new ArrayList<>(List.of("User-Agent", "test"));
    otherHeaders.forEach(
        (header, value) -> {
          pairs.add(header);
          pairs.add(value);
        });
    int query = url == null ? -1 : url.indexOf('?');
    return new UnverifiedRequest(
        "POST",
        "/webhooks/a" + (query < 0 ? "" : requireNonNull(url).substring(query)),
        Headers.of(pairs.toArray(String[]::new)),
        otherBody,
        now * 1000);
  }

  /** The same request at another time. */
  UnverifiedRequest at(long millis) {
    UnverifiedRequest now = request();
    return new UnverifiedRequest(now.method(), now.target(), now.headers(), body, millis);
  }

  /** The same request with another value of one header. */
  UnverifiedRequest with(String header, String value) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.put(header, value);
    return request(body, changed);
  }

  /** The same request with one header less. */
  UnverifiedRequest without(String header) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.remove(header);
    return request(body, changed);
  }

  /** The same request with one header twice, in two spellings. */
  UnverifiedRequest repeating(String header) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    boolean lower = header.equals(header.toLowerCase(Locale.ROOT));
    String again = lower ? header.toUpperCase(Locale.ROOT) : header.toLowerCase(Locale.ROOT);
    changed.put(again, header(header));
    return request(body, changed);
  }

  /** The value of a header that is there. */
  public String header(String name) {
    return Objects.requireNonNull(headers.get(name));
  }

  /** The one header whose name speaks of a signature. */
  String signatureHeader() {
    return headers.keySet().stream()
        .filter(
            name ->
                name.toLowerCase(Locale.ROOT)
                    .matches(
                        ".*(signature|hmac-sha256)(-256|-ed25519|-v3|-[0-9]+)?"
                            + "|authorization|x-gitlab-token"))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public String toString() {
    return name;
  }
}
