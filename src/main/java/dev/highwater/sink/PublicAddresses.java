package dev.highwater.sink;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * The addresses of the public Internet, by the special-purpose registries of IANA (RFC 6890 and its
 * successors). IPv4 is everything but a list; IPv6 is the global unicast block less a list, so that
 * what is given out later for special use is refused until somebody looks at it.
 */
final class PublicAddresses {
  private static final List<Range> SPECIAL_V4 =
      ranges(
          "0.0.0.0/8", // this network
          "10.0.0.0/8", // private
          "100.64.0.0/10", // shared, carrier-grade NAT
          "127.0.0.0/8", // loopback
          "169.254.0.0/16", // link-local, metadata services
          "172.16.0.0/12", // private
          "192.0.0.0/24", // protocol assignments
          "192.0.2.0/24", // documentation
          "192.88.99.0/24", // 6to4 relays, withdrawn
          "192.168.0.0/16", // private
          "198.18.0.0/15", // benchmarks
          "198.51.100.0/24", // documentation
          "203.0.113.0/24", // documentation
          "224.0.0.0/4", // multicast
          "240.0.0.0/4"); // reserved, broadcast

  private static final Range GLOBAL_V6 = Range.of("2000::/3");

  private static final List<Range> SPECIAL_V6 =
      ranges(
          "2001::/23", // protocol assignments, Teredo
          "2001:db8::/32", // documentation
          "3fff::/20"); // documentation

  private static final Range SIX_TO_FOUR = Range.of("2002::/16");

  private static final Range NAT64 = Range.of("64:ff9b::/96");

  private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF};

  private PublicAddresses() {}

  static boolean contains(InetAddress address) {
    return contains(address.getAddress());
  }

  /**
   * @param address 4 or 16 bytes
   */
  static boolean contains(byte[] address) {
    if (address.length == 4) {
      return !within(SPECIAL_V4, address);
    }
    // Java turns the mapped form into IPv4 by itself; other callers may not have come that way.
    if (Arrays.equals(address, 0, 12, MAPPED, 0, 12) || NAT64.holds(address)) {
      return contains(Arrays.copyOfRange(address, 12, 16));
    }
    if (SIX_TO_FOUR.holds(address)) {
      return contains(Arrays.copyOfRange(address, 2, 6));
    }
    return GLOBAL_V6.holds(address) && !within(SPECIAL_V6, address);
  }

  private static boolean within(List<Range> ranges, byte[] address) {
    return ranges.stream().anyMatch(range -> range.holds(address));
  }

  private static List<Range> ranges(String... texts) {
    return Arrays.stream(texts).map(Range::of).toList();
  }

  /** Addresses that begin with the same {@code bits}. */
  private record Range(byte[] start, int bits) {
    static Range of(String text) {
      String[] parts = text.split("/", 2);
      return new Range(InetAddress.ofLiteral(parts[0]).getAddress(), Integer.parseInt(parts[1]));
    }

    boolean holds(byte[] address) {
      if (address.length != start.length) {
        return false;
      }
      int whole = bits / 8;
      int mask = 0xFF << (8 - bits % 8) & 0xFF;
      return Arrays.equals(address, 0, whole, start, 0, whole)
          && (bits % 8 == 0 || (address[whole] & mask) == (start[whole] & mask));
    }
  }
}
