package dev.highwater.handshake;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a handshake needs to know of its source.
 *
 * @param answers whether it is answered at all; if not, it is refused
 * @param newestSecret of the source, which signs answers, or null where it has none
 * @param verifyToken what a {@link Handshake.Subscription} must name, or null where none does
 * @param methods with which hooks come
 */
public record HandshakeSettings(
    boolean answers,
    @Nullable String newestSecret,
    @Nullable String verifyToken,
    Collection<String> methods) {
  public HandshakeSettings {
    methods = List.copyOf(new TreeSet<>(methods));
  }

  /** Nothing that is a secret (G12). */
  @Override
  public String toString() {
    return answers ? "answered" : "refused";
  }
}
