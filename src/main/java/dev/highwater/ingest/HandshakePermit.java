package dev.highwater.ingest;

import dev.highwater.queue.IntakeRoom;

/**
 * For the body of what may be a handshake while hooks are not taken. It is within {@link #MOST}
 * bytes, less than the buffers of its connection, and connections are bounded; so it needs no room
 * of the queue (G13).
 */
final class HandshakePermit implements IntakeRoom.Permit {
  /** The largest body of a handshake, in bytes; those of providers have less than half of it. */
  static final int MOST = 4096;

  private int left = MOST;

  @Override
  public boolean grow(int bytes) {
    left -= bytes;
    return left >= 0;
  }

  @Override
  public void close() {}
}
