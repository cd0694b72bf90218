package dev.highwater.ingest;

import dev.highwater.ingest.ReceivedBody.Broken;
import dev.highwater.ingest.ReceivedBody.Complete;
import dev.highwater.ingest.ReceivedBody.NoRoom;
import dev.highwater.ingest.ReceivedBody.TooLarge;
import dev.highwater.queue.IntakeRoom;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads bodies. Memory follows the bytes that have arrived and not the length that was announced:
 * the first buffer has at most {@value #FIRST} bytes, each next one at most doubles, and every byte
 * that arrives is counted with the permit first. So neither a stalled sender nor an announced
 * length costs more than its connection does anyway.
 *
 * <p>The time limit is looked at whenever bytes arrive; a sender that sends nothing is cut off by
 * the connection's own read time-out.
 */
final class BodyReader {
  private static final int FIRST = 8 * 1024;
  private static final int LARGEST = 64 * 1024;
  private static final byte[] EMPTY = new byte[0];

  private final long timeoutNanos;

  BodyReader(Duration timeout) {
    timeoutNanos = timeout.toNanos();
  }

  /**
   * Reads to the end of the body.
   *
   * @param in the body, not read from yet
   * @param declared the length that was announced, at most {@code limit}; -1 if none was
   * @param limit the largest body that is taken, in bytes
   * @param permit where bytes are counted; stays the caller's
   */
  ReceivedBody read(InputStream in, long declared, long limit, IntakeRoom.Permit permit) {
    if (declared == 0) {
      return new Complete(EMPTY);
    }
    long start = System.nanoTime();
    List<byte[]> full = new ArrayList<>(0);
    byte[] buffer = new byte[(int) (declared < 0 ? FIRST : Math.min(declared, FIRST))];
    int filled = 0;
    long total = 0;
    try {
      while (true) {
        int read = in.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
          boolean early = declared >= 0 && total < declared;
          return early ? new Broken() : new Complete(joined(full, buffer, filled));
        }
        total += read;
        filled += read;
        if (total > limit) {
          return new TooLarge();
        }
        if (!permit.grow(read)) {
          return new NoRoom();
        }
        if (total == declared) {
          return new Complete(joined(full, buffer, filled));
        }
        if (System.nanoTime() - start > timeoutNanos) {
          return new Broken();
        }
        if (filled == buffer.length) {
          full.add(buffer);
          buffer =
              new byte[nextSize(buffer.length, declared < 0 ? Long.MAX_VALUE : declared - total)];
          filled = 0;
        }
      }
    } catch (IOException e) {
      // The sender has gone, was too slow or broke its own framing: nothing of ours to report.
      return new Broken();
    }
  }

  private static int nextSize(int size, long left) {
    return (int) Math.min(Math.min(2L * size, LARGEST), left);
  }

  private static byte[] joined(List<byte[]> full, byte[] last, int filled) {
    if (full.isEmpty() && filled == last.length) {
      return last;
    }
    int length = filled;
    for (byte[] part : full) {
      length += part.length;
    }
    byte[] whole = new byte[length];
    int at = 0;
    for (int i = 0; i < full.size(); i++) {
      byte[] part = full.get(i);
      System.arraycopy(part, 0, whole, at, part.length);
      at += part.length;
      // Large bodies are in memory twice here; let go of what is copied.
      full.set(i, EMPTY);
    }
    System.arraycopy(last, 0, whole, at, filled);
    return whole;
  }
}
