package dev.highwater.ingest;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates a body to see whether it can be, and throws away what comes out. How far a body inflates
 * is its sender's choice, so this stops at a bound, and needs the same memory for every body.
 *
 * <p>Reads gzip itself: the stream of the JDK descends one stack frame for each empty member, of
 * which a body can have hundreds of thousands.
 */
final class Inflation {
  private static final int CHUNK = 8 * 1024;

  /** What a member of a gzip body is charged with at least, since an empty one is work too. */
  private static final int LEAST = 1024;

  private static final int FIXED_HEADER = 10;
  private static final int TRAILER = 8;
  private static final int HAS_CHECKSUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xE0;

  private final byte[] body;
  private final byte[] chunk = new byte[CHUNK];
  private final CRC32 crc = new CRC32();
  private long left;
  private int at;

  /**
   * @param bound how many bytes are inflated at most
   */
  Inflation(byte[] body, long bound) {
    this.body = body;
    this.left = bound;
  }

  /** Whether this is one stream, as far as the bound lets see. What comes after it is not read. */
  boolean isDeflate(boolean bare) {
    Inflater inflater = new Inflater(bare);
    try {
      return inflate(inflater);
    } finally {
      inflater.end();
    }
  }

  /**
   * Whether these are one or more members (RFC 1952), as far as the bound lets see. What comes
   * after them and is none is passed over, as gzip does it.
   */
  boolean isGzip() {
    Inflater inflater = new Inflater(true);
    try {
      do {
        if (!skipHeader()) {
          return false;
        }
        crc.reset();
        inflater.reset();
        long before = left;
        if (!inflate(inflater)) {
          return false;
        }
        if (inflater.finished() && !skipTrailer(inflater.getBytesWritten())) {
          return false;
        }
        left = Math.min(left, before - LEAST);
      } while (left > 0 && isAtMagic());
      return true;
    } finally {
      inflater.end();
    }
  }

  /** Whether the stream that begins here is whole, or not damaged up to the bound. */
  private boolean inflate(Inflater inflater) {
    inflater.setInput(body, at, body.length - at);
    try {
      while (left > 0 && !inflater.finished()) {
        int read = inflater.inflate(chunk);
        if (read == 0 && !inflater.finished()) {
          return false; // it ends early, or needs a dictionary that only its sender has
        }
        crc.update(chunk, 0, read);
        left -= read;
      }
    } catch (DataFormatException damaged) {
      return false;
    }
    at = body.length - inflater.getRemaining();
    return true;
  }

  private boolean isAtMagic() {
    return at + 2 <= body.length && (body[at] & 0xFF) == 0x1F && (body[at + 1] & 0xFF) == 0x8B;
  }

  private boolean skipHeader() {
    if (body.length - at < FIXED_HEADER || !isAtMagic() || body[at + 2] != 8) {
      return false;
    }
    int start = at;
    int flags = body[at + 3];
    at += FIXED_HEADER;
    return (flags & RESERVED) == 0
        && ((flags & HAS_EXTRA) == 0 || (body.length - at >= 2 && skip(2 + (int) number(at, 2))))
        && ((flags & HAS_NAME) == 0 || skipText())
        && ((flags & HAS_COMMENT) == 0 || skipText())
        && ((flags & HAS_CHECKSUM) == 0 || skipChecksum(start));
  }

  private boolean skipChecksum(int start) {
    crc.reset();
    crc.update(body, start, at - start);
    int from = at;
    return skip(2) && number(from, 2) == (crc.getValue() & 0xFFFF);
  }

  private boolean skipTrailer(long length) {
    if (body.length - at < TRAILER) {
      return false;
    }
    boolean right = number(at, 4) == crc.getValue() && number(at + 4, 4) == (length & 0xFFFF_FFFFL);
    at += TRAILER;
    return right;
  }

  private boolean skipText() {
    while (at < body.length) {
      if (body[at++] == 0) {
        return true;
      }
    }
    return false;
  }

  private boolean skip(int bytes) {
    if (body.length - at < bytes) {
      return false;
    }
    at += bytes;
    return true;
  }

  /** Little-endian. */
  private long number(int from, int bytes) {
    long number = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      number = number << 8 | (body[from + i] & 0xFF);
    }
    return number;
  }
}
