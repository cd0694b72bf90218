package dev.highwater.signature;

import dev.highwater.hook.Headers;

/**
 * A request of which nothing is known yet.
 *
 * @param method the HTTP method
 * @param target the request target as it was sent
 * @param headers all of them, in order
 * @param body the raw bytes; shared, nobody writes to them
 * @param receivedAt the wall clock at arrival, Unix milliseconds
 */
public record UnverifiedRequest(
    String method, String target, Headers headers, byte[] body, long receivedAt) {

  /** The same with another body. */
  public UnverifiedRequest withBody(byte[] other) {
    return new UnverifiedRequest(method, target, headers, other, receivedAt);
  }

  /** Sizes only (G12). */
  @Override
  public String toString() {
    return method + " with a body of " + body.length + " bytes";
  }
}
