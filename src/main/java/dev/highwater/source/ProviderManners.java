package dev.highwater.source;

import java.nio.charset.StandardCharsets;

/** What some providers want to be told, by the name of the type; most take any 2xx. */
final class ProviderManners {
  private static final String TEXT = "text/plain";

  private ProviderManners() {}

  /** What a stored hook is answered with, unless the source has an answer of its own. */
  static SuccessAnswer success(String type) {
    return switch (type) {
      case "slack" -> new SuccessAnswer(200, new byte[0], TEXT);
      case "twilio" -> new SuccessAnswer(204, new byte[0], TEXT);
      case "adyen" ->
          new SuccessAnswer(200, "[accepted]".getBytes(StandardCharsets.US_ASCII), TEXT);
      case "msgraph" -> new SuccessAnswer(202, null, "application/json");
      default -> SuccessAnswer.USUAL;
    };
  }

  /**
   * Whether a request that fails verification must be refused, whatever the source would do with
   * it: Discord sends bad signatures on purpose, and takes an endpoint that accepts one out of use.
   */
  static boolean mustRefuseForgeries(String type) {
    return type.equals("discord");
  }
}
