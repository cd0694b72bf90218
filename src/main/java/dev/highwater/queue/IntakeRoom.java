package dev.highwater.queue;

import org.jspecify.annotations.Nullable;

/**
 * Bounds what is being received and committed, in records and in body bytes (G13), and keeps one
 * tenant from taking the room of the others (G10). Any thread may call.
 */
public interface IntakeRoom {

  /**
   * Enters with no bytes yet.
   *
   * @return null when there is no room for one more record of that tenant: the caller answers
   *     {@code overload} at once
   */
  @Nullable Permit enter(String tenant);

  /**
   * Held from the first byte of the body until the answer; whoever holds it last closes it, exactly
   * once.
   */
  interface Permit extends AutoCloseable {
    /**
     * Counts bytes of the body as they arrive.
     *
     * @param bytes how many more there are
     * @return false when there is no room for them: the caller stops reading and answers {@code
     *     overload}
     */
    boolean grow(int bytes);

    @Override
    void close();
  }
}
