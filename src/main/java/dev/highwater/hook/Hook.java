package dev.highwater.hook;

import org.jspecify.annotations.Nullable;

/**
 * One received request, as it is stored and delivered. The body is the bytes that arrived,
 * unchanged.
 *
 * <p>The array of the body is shared, not copied: nobody may write to it.
 *
 * @param seq the position the writer gave it; above 0, strictly increasing, never used twice (G3)
 * @param at the writer's stamp in milliseconds; never goes back (G7)
 * @param content what was received
 * @param sinkIds the sinks it is to be delivered to, each once
 */
public record Hook(long seq, long at, Content content, int[] sinkIds) {

  /**
   * What was received.
   *
   * @param id made when the request arrived
   * @param source who it is from
   * @param method the HTTP method
   * @param target the request target as it was sent, with its query
   * @param headers all of them, in order
   * @param body the raw bytes
   * @param receivedAt the wall clock at arrival, Unix milliseconds
   * @param verification what is known of the sender
   * @param client the address of the peer, or empty where unknown
   * @param dedupe the key it is deduplicated by, or null
   */
  public record Content(
      HookId id,
      SourceRef source,
      String method,
      String target,
      Headers headers,
      byte[] body,
      long receivedAt,
      Verification verification,
      String client,
      @Nullable DedupeKey dedupe) {

    /** Ids and sizes only (G12). */
    @Override
    public String toString() {
      return "hook " + id + " of " + source + ", " + body.length + " bytes";
    }
  }

  /** Ids and sizes only (G12). */
  @Override
  public String toString() {
    return content + ", seq " + seq;
  }
}
