package dev.highwater.source;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How requests are signed where the type is {@code custom}; nothing is checked yet.
 *
 * @param signature where the signature stands and how it is written
 * @param eachOf the path of a list in the JSON body of which every item is signed by itself
 * @param signed what is signed, a text with places in braces
 * @param algorithm hmac-sha1, hmac-sha256, hmac-sha512, sha256, ed25519, ecdsa-p256, rsa-sha1,
 *     rsa-sha256, or token for a secret that is sent as it is
 * @param encoding how the signature is written: hex, base64, base64-lenient or raw
 * @param secretForm how the secrets are written: raw, hex, base64, whsec, whpk or user-and-password
 * @param timestamp when the request was signed, if that is signed
 * @param eventKey by what repetitions are known
 */
public record SchemeProperties(
    @Nullable SignatureProperties signature,
    @Nullable String eachOf,
    @Nullable String signed,
    @Nullable String algorithm,
    @DefaultValue("hex") String encoding,
    @DefaultValue("raw") String secretForm,
    @Nullable TimestampProperties timestamp,
    @Nullable EventKeyProperties eventKey) {

  /**
   * Where the signature stands: one of header, headers, query and body. How it is written: whole,
   * after a prefix, as credentials, or as an entry with a label.
   *
   * @param header the header
   * @param headers several headers of which any may match
   * @param query the parameter of the query
   * @param body the path of the JSON field
   * @param prefix what stands in front of it
   * @param credentials the name of a scheme in Authorization, such as Bearer
   * @param separator one character between entries
   * @param assignment one character between an entry's label and its value
   * @param label the label of the entries that are signatures
   */
  public record SignatureProperties(
      @Nullable String header,
      @DefaultValue List<String> headers,
      @Nullable String query,
      @Nullable String body,
      @Nullable String prefix,
      @Nullable String credentials,
      @Nullable String separator,
      @Nullable String assignment,
      @Nullable String label) {}

  /**
   * Where the time stands: one of header, label and body.
   *
   * @param header the header
   * @param label the label of an entry of the signature
   * @param body the path of the JSON field
   * @param unit s or ms
   * @param tolerance how far it may be from the clock, both ways, 1s to 24h
   */
  public record TimestampProperties(
      @Nullable String header,
      @Nullable String label,
      @Nullable String body,
      @DefaultValue("s") String unit,
      @DefaultValue("5m") Duration tolerance) {}

  /**
   * By what repetitions are known: one of the four.
   *
   * @param header the header that holds the event's id
   * @param body the path of the JSON field that holds it
   * @param join several of them, which make the key together
   * @param hash body, for the SHA-256 of the body
   */
  public record EventKeyProperties(
      @Nullable String header,
      @Nullable String body,
      @Nullable List<DedupeProperties.Part> join,
      @Nullable String hash) {}
}
