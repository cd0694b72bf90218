package dev.highwater.ingest;

import dev.highwater.hook.Headers;
import dev.highwater.source.AddressRange;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose request it is. That is the other end of the connection, unless it is a proxy that the
 * operator trusts: then it is whom the proxy names in {@code X-Forwarded-For}. The header is read
 * from its end, where the nearest proxy wrote, and only as far as trusted proxies go; what stands
 * before that was written by somebody else and is not looked at.
 */
final class ClientAddresses {
  private static final String FORWARDED_FOR = "X-Forwarded-For";

  /** More proxies in a row than anybody has. */
  private static final int MOST_HOPS = 32;

  private final List<AddressRange> trusted;

  ClientAddresses(List<AddressRange> trusted) {
    this.trusted = List.copyOf(trusted);
  }

  /**
   * The client.
   *
   * @param peer the address of the connection's other end
   * @return null where a trusted proxy named somebody in a way that cannot be read
   */
  @Nullable InetAddress clientOf(String peer, Headers headers) {
    InetAddress hop = AddressRange.address(withoutZone(peer));
    if (hop == null || trusted.isEmpty() || !isTrusted(hop)) {
      return hop;
    }
    List<String> hops = hopsOf(headers);
    int last = Math.max(0, hops.size() - MOST_HOPS);
    for (int i = hops.size() - 1; i >= last; i--) {
      hop = read(hops.get(i));
      if (hop == null || !isTrusted(hop)) {
        return hop;
      }
    }
    // All of them are ours: the first one is where it began.
    return last == 0 ? hop : null;
  }

  boolean trustsAnybody() {
    return !trusted.isEmpty();
  }

  private boolean isTrusted(InetAddress address) {
    return AddressRange.anyContains(trusted, address);
  }

  private static List<String> hopsOf(Headers headers) {
    List<String> hops = new ArrayList<>();
    for (String line : headers.all(FORWARDED_FOR)) {
      for (int at = 0; at <= line.length(); ) {
        int end = line.indexOf(',', at);
        end = end < 0 ? line.length() : end;
        String hop = line.substring(at, end).strip();
        if (!hop.isEmpty()) {
          hops.add(hop);
        }
        at = end + 1;
      }
    }
    return hops;
  }

  /** An address, perhaps with a port, an IPv6 one perhaps in brackets. */
  private static @Nullable InetAddress read(String hop) {
    if (hop.startsWith("[")) {
      int end = hop.indexOf(']');
      boolean closed = end > 0 && (end == hop.length() - 1 || isPort(hop, end + 1));
      return closed ? AddressRange.address(hop.substring(1, end)) : null;
    }
    int colon = hop.indexOf(':');
    if (colon >= 0 && colon == hop.lastIndexOf(':')) {
      return isPort(hop, colon) ? AddressRange.address(hop.substring(0, colon)) : null;
    }
    return AddressRange.address(hop);
  }

  private static boolean isPort(String text, int colon) {
    int digits = text.length() - colon - 1;
    if (text.charAt(colon) != ':' || digits < 1 || digits > 5) {
      return false;
    }
    return text.chars().skip(colon + 1L).allMatch(c -> c >= '0' && c <= '9');
  }

  /** The server writes a link-local peer as {@code fe80::1%eth0}. */
  private static String withoutZone(String address) {
    int zone = address.indexOf('%');
    return zone < 0 ? address : address.substring(0, zone);
  }
}
