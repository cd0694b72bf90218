package dev.highwater.source;

import org.jspecify.annotations.Nullable;

/**
 * What a provider is told when its hook is safe.
 *
 * @param status 200 to 299; 201 unless its provider wants another or one is configured
 * @param body its bytes, or null for the usual JSON with id and status
 * @param contentType of {@code body}
 */
public record SuccessAnswer(int status, byte @Nullable [] body, String contentType) {
  /** 201 with the id. */
  public static final SuccessAnswer USUAL = new SuccessAnswer(201, null, "application/json");
}
