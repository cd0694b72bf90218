package dev.highwater.sink;

import java.net.InetAddress;

/**
 * Where sinks may connect to. A transport asks about every address a name resolves to, right before
 * it connects, and connects to an address it asked about: a name that resolves differently the next
 * time opens no way around. One address that is refused refuses the name.
 */
@FunctionalInterface
public interface EgressPolicy {
  /** Everything: for what stands in the configuration file, which only the operator writes. */
  EgressPolicy ANY = address -> true;

  /**
   * Public addresses only: for what others may configure. Refuses loopback, private, shared,
   * link-local (so metadata services), unique-local, multicast and reserved ranges, and whatever
   * hides such an IPv4 address in an IPv6 one.
   */
  EgressPolicy PUBLIC_ONLY = PublicAddresses::contains;

  /** Whether a sink may connect to {@code address}. Any thread may call; no I/O. */
  boolean allows(InetAddress address);
}
