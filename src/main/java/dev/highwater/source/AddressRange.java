package dev.highwater.source;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of IP addresses, as in {@code 10.0.0.0/8} or {@code 2001:db8::/32}; a single address is a
 * range of one. Never asks the DNS. An IPv4 address that is written as an IPv6 one ({@code
 * ::ffff:10.0.0.1}) is the IPv4 address. Immutable.
 */
public final class AddressRange {
  private static final Pattern IPV4 =
      Pattern.compile(
          "(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
  private static final int LONGEST = 45;

  private final byte[] network;
  private final int bits;

  private AddressRange(byte[] network, int bits) {
    this.network = network;
    this.bits = bits;
  }

  /**
   * Reads a range.
   *
   * @throws IllegalArgumentException if it is none, or if bits are set behind its prefix: whoever
   *     wrote that meant something else
   */
  public static AddressRange parse(String text) {
    return parse("", text);
  }

  /**
   * Reads several.
   *
   * @param key where they are written: the message begins with it
   * @throws IllegalArgumentException at the first one that is none
   */
  public static List<AddressRange> parseAll(String key, List<String> texts) {
    List<AddressRange> ranges = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      ranges.add(parse(key + "[" + i + "]: ", texts.get(i)));
    }
    return List.copyOf(ranges);
  }

  private static AddressRange parse(String where, String text) {
    int slash = text.indexOf('/');
    InetAddress address = address(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      throw notARange(where, text);
    }
    byte[] network = address.getAddress();
    int bits = slash < 0 ? network.length * 8 : prefix(text, slash + 1);
    if (bits < 0 || bits > network.length * 8) {
      throw notARange(where, text);
    }
    var range = new AddressRange(network, bits);
    if (!Arrays.equals(network, range.masked(network))) {
      throw new IllegalArgumentException(
          where
              + "\""
              + text
              + "\" has bits behind its prefix; write the first address of the range");
    }
    return range;
  }

  private static int prefix(String text, int from) {
    int digits = text.length() - from;
    if (digits < 1 || digits > 3) {
      return -1;
    }
    int bits = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      bits = 10 * bits + (c - '0');
    }
    return bits;
  }

  private static IllegalArgumentException notARange(String where, String text) {
    return new IllegalArgumentException(
        where
            + "\""
            + text
            + "\" is not a range of addresses such as 10.0.0.0/8, 203.0.113.7 or 2001:db8::/32");
  }

  /** The address that is written there, without port, brackets or zone; null where it is none. */
  public static @Nullable InetAddress address(String text) {
    if (text.length() > LONGEST
        || !(IPV4.matcher(text).matches() || IPV6.matcher(text).matches())) {
      return null;
    }
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether the address is in the range. */
  public boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    return bytes.length == network.length && Arrays.equals(network, masked(bytes));
  }

  /** Whether one of the ranges has the address. */
  public static boolean anyContains(List<AddressRange> ranges, InetAddress address) {
    for (AddressRange range : ranges) {
      if (range.contains(address)) {
        return true;
      }
    }
    return false;
  }

  private byte[] masked(byte[] address) {
    byte[] masked = new byte[address.length];
    for (int i = 0; i < address.length; i++) {
      int left = Math.clamp(bits - 8L * i, 0, 8);
      masked[i] = (byte) (address[i] & (0xFF << (8 - left)));
    }
    return masked;
  }

  @Override
  public String toString() {
    try {
      InetAddress first = InetAddress.getByAddress(network);
      String text = first.getHostAddress();
      return bits == network.length * 8 ? text : text + "/" + bits;
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
