package dev.highwater.dispatch;

/** What one sink or one tenant holds of the {@link Budget}. Owned by the dispatch thread. */
final class Share {
  private int running;
  private long bytes;

  int running() {
    return running;
  }

  long bytes() {
    return bytes;
  }

  void add(int attempts, long bodyBytes) {
    running += attempts;
    bytes += bodyBytes;
  }
}
