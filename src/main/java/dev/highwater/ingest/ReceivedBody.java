package dev.highwater.ingest;

/** What came of reading a body. */
sealed interface ReceivedBody {
  /** All of it. */
  record Complete(byte[] bytes) implements ReceivedBody {}

  /** Larger than its source takes. */
  record TooLarge() implements ReceivedBody {}

  /** There is no room for more bytes of this tenant now. */
  record NoRoom() implements ReceivedBody {}

  /** It ended early, came too slowly, or its framing is wrong. */
  record Broken() implements ReceivedBody {}
}
