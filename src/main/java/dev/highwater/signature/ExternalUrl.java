package dev.highwater.signature;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The URL a provider calls and signs, in the ways in which it may write it. */
final class ExternalUrl {
  private static final String ESCAPES = ":/?@!$'()*,;";

  private ExternalUrl() {}

  /** The external URL; the query of the request where it has none of its own. */
  static @Nullable String called(@Nullable URI externalUrl, String target) {
    if (externalUrl == null || externalUrl.getRawQuery() != null) {
      return externalUrl == null ? null : externalUrl.toString();
    }
    return withQueryOf(externalUrl, target);
  }

  /** The external URL; its query is replaced by the one of the request, if that has any. */
  static @Nullable String withQueryOf(@Nullable URI externalUrl, String target) {
    if (externalUrl == null) {
      return null;
    }
    String url = externalUrl.toString();
    int query = target.indexOf('?');
    if (query < 0) {
      return url;
    }
    int own = url.indexOf('?');
    return (own < 0 ? url : url.substring(0, own)) + target.substring(query);
  }

  /** Without its port; with the default one of its scheme where it has none. */
  static URI withPortToggled(URI url) {
    String text = url.toString();
    String authority = url.getRawAuthority();
    int at = text.indexOf(authority);
    String other;
    if (url.getPort() >= 0) {
      other = authority.substring(0, authority.lastIndexOf(':'));
    } else {
      other = authority + ("http".equalsIgnoreCase(url.getScheme()) ? ":80" : ":443");
    }
    return URI.create(text.substring(0, at) + other + text.substring(at + authority.length()));
  }

  /** With the escapes of {@value #ESCAPES} decoded, and no others. */
  static String withoutEscapes(String url) {
    StringBuilder decoded = new StringBuilder(url.length());
    for (int i = 0; i < url.length(); i++) {
      char c = url.charAt(i);
      if (c == '%' && i + 2 < url.length()) {
        int high = Character.digit(url.charAt(i + 1), 16);
        int low = Character.digit(url.charAt(i + 2), 16);
        char meant = (char) (high * 16 + low);
        if (high >= 0 && low >= 0 && ESCAPES.indexOf(meant) >= 0) {
          decoded.append(meant);
          i += 2;
          continue;
        }
      }
      decoded.append(c);
    }
    return decoded.toString();
  }
}
