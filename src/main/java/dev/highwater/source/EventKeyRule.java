package dev.highwater.source;

import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Verification;
import dev.highwater.signature.EventKey;
import dev.highwater.signature.UnverifiedRequest;
import dev.highwater.signature.VerifiedRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes the key from where an {@link EventKey} says. A request that failed verification and was let
 * in all the same has none: a forger must not be able to block the real event (G11).
 */
final class EventKeyRule implements DedupeRule {
  private final Function<UnverifiedRequest, EventKey> place;
  private final Duration window;

  /**
   * A rule.
   *
   * @param place where the key is in that request
   * @param window longer than zero
   */
  EventKeyRule(Function<UnverifiedRequest, EventKey> place, Duration window) {
    this.place = place;
    this.window = window;
  }

  @Override
  public @Nullable DedupeKey keyOf(VerifiedRequest verified) {
    if (verified.verification() == Verification.FAILED) {
      return null;
    }
    UnverifiedRequest request = verified.request();
    byte[] key = read(place.apply(request), request);
    if (key == null) {
      return null;
    }
    return new DedupeKey(key.length <= DedupeKey.LONGEST ? key : sha256(key), window);
  }

  /** Null where there is none; never empty. */
  private static byte @Nullable [] read(EventKey key, UnverifiedRequest request) {
    return switch (key) {
      case EventKey.None() -> null;
      case EventKey.Header(String name) -> utf8(request.headers().first(name));
      case EventKey.Field(var field) -> utf8(field.read(request.body()));
      case EventKey.FormField form -> utf8(form.read(request));
      case EventKey.BodyHash() -> request.body().length == 0 ? null : sha256(request.body());
      case EventKey.EachItem(var items, var each) -> {
        List<byte[]> bodies = items.of(request.body());
        yield bodies == null || bodies.isEmpty()
            ? null
            : joined(bodies, body -> read(each, request.withBody(body)));
      }
      case EventKey.FirstOf(var keys) -> {
        for (EventKey candidate : keys) {
          byte[] found = read(candidate, request);
          if (found != null) {
            yield found;
          }
        }
        yield null;
      }
      case EventKey.Join(var keys) -> joined(keys, part -> read(part, request));
    };
  }

  private static <T> byte @Nullable [] joined(
      List<T> parts, Function<T, byte @Nullable []> reader) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (T part : parts) {
      byte[] found = reader.apply(part);
      if (found == null) {
        return null;
      }
      // With its length in front, so that "a" and "bc" are not "ab" and "c".
      joined.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(found.length).array());
      joined.writeBytes(found);
    }
    return joined.toByteArray();
  }

  private static byte @Nullable [] utf8(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
