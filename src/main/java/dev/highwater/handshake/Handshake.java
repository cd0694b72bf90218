package dev.highwater.handshake;

import dev.highwater.signature.JsonField;

/**
 * How a provider makes sure that a URL belongs to its user, as data: {@link Handshakes} has a row
 * for each provider that does, and {@link SourceHandshake} carries them out.
 */
public sealed interface Handshake {

  /** The provider asks nothing. */
  record None() implements Handshake {}

  /** Method, query and headers tell it. Nobody signs it, and a body is not read. */
  sealed interface Open extends Handshake {
    /** The HTTP method it comes with. */
    String method();
  }

  /** Any request with that method is answered 200. */
  record Presence(String method) implements Open {}

  /** A parameter of the query is sent back as text. */
  record EchoParameter(String method, String parameter) implements Open {}

  /**
   * A header is sent back in JSON.
   *
   * @param member the one member of the answer
   */
  record EchoHeader(String method, String header, String member) implements Open {}

  /**
   * A parameter is sent back as text to whoever knows the verify token; everybody else is refused.
   *
   * @param mode the parameter that must be {@code subscribe}
   * @param token the parameter that must equal the verify token
   * @param challenge the parameter that is sent back
   */
  record Subscription(String method, String mode, String token, String challenge) implements Open {}

  /**
   * A parameter is sent back signed: HMAC-SHA256 in base64.
   *
   * @param member the one member of the answer
   * @param prefix before the signature
   */
  record SignParameter(String method, String parameter, String member, String prefix)
      implements Open {}

  /** A header names a sender, which is told that it may send: the abuse protection of webhooks. */
  record AllowOrigin(String method, String header) implements Open {}

  /**
   * A POST that its body tells. The provider signs it, and it is verified before it is answered.
   */
  sealed interface Signed extends Handshake {}

  /** A field of the body is sent back as text. */
  record EchoField(JsonField kind, String value, JsonField challenge) implements Signed {}

  /**
   * A field of the body is sent back in JSON, beside its HMAC-SHA256 in hex.
   *
   * @param kind the field that must have the {@code value}
   * @param token the field that is signed
   * @param plainMember of the answer: what was sent
   * @param signedMember of the answer: its signature
   */
  record SignField(
      JsonField kind, String value, JsonField token, String plainMember, String signedMember)
      implements Signed {}

  /**
   * A number in the body asks whether anybody is there, in one of two dialects.
   *
   * @param kind the field with that number
   * @param silent is answered 204
   * @param spoken is answered with the same number in JSON
   * @param hook a field that hooks have and questions have not: of one dialect the number {@code
   *     spoken} means a hook
   */
  record Ping(JsonField kind, String silent, String spoken, JsonField hook) implements Signed {}
}
