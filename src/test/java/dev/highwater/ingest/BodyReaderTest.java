package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.queue.IntakeRoom;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BodyReaderTest {
  private final BodyReader reader = new BodyReader(Duration.ofMinutes(1));
  private final Counter counter = new Counter();

  /** Counts, up to a bound. */
  private static final class Counter implements IntakeRoom.Permit {
    private long bound = Long.MAX_VALUE;
    private long counted;

    @Override
    public boolean grow(int bytes) {
      if (counted + bytes > bound) {
        return false;
      }
      counted += bytes;
      return true;
    }

    @Override
    public void close() {
      throw new AssertionError("the permit is its owner's to close");
    }
  }

  /** Gives what it has in pieces, and remembers how much it was asked for at most. */
  private static final class Pieces extends InputStream {
    private final InputStream bytes;
    private final int most;
    private int largestAsked;

    Pieces(byte[] bytes, int most) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.most = most;
    }

    @Override
    public int read() {
      throw new AssertionError("byte by byte");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      assertThat(length).isPositive();
      largestAsked = Math.max(largestAsked, length);
      return bytes.read(into, offset, Math.min(length, most));
    }
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void bodiesOfEverySizeInPiecesOfEverySizeArriveWhole() {
    for (int size : new int[] {0, 1, 8191, 8192, 8193, 24_576, 65_536, 300_001}) {
      for (int piece : new int[] {1, 1000, 8192, 1 << 20}) {
        byte[] body = random(size);
        counter.counted = 0;
        for (long declared : new long[] {size, -1}) {
          assertThat(reader.read(new Pieces(body, piece), declared, 300_001, counter))
              .isInstanceOfSatisfying(
                  ReceivedBody.Complete.class, whole -> assertThat(whole.bytes()).isEqualTo(body));
        }
        assertThat(counter.counted).isEqualTo(2L * size);
      }
    }
  }

  @Test
  void anAnnouncedLengthAloneTakesNoMemory() {
    var pieces = new Pieces(random(10), 10);
    assertThat(reader.read(pieces, 1L << 30, 1L << 30, counter))
        .isInstanceOf(ReceivedBody.Broken.class);
    assertThat(pieces.largestAsked).isLessThanOrEqualTo(8192);
  }

  @Test
  void readingStopsAtTheLimit() {
    assertThat(reader.read(new Pieces(random(100), 7), -1, 100, counter))
        .isInstanceOf(ReceivedBody.Complete.class);
    assertThat(reader.read(new Pieces(random(101), 7), -1, 100, counter))
        .isInstanceOf(ReceivedBody.TooLarge.class);
  }

  @Test
  void readingStopsWhereThereIsNoRoom() {
    counter.bound = 50_000;
    assertThat(reader.read(new Pieces(random(100_000), 4096), 100_000, 100_000, counter))
        .isInstanceOf(ReceivedBody.NoRoom.class);
    assertThat(counter.counted).isBetween(45_000L, 50_000L);
  }

  @Test
  void aBodyThatEndsEarlyIsBroken() {
    assertThat(reader.read(new Pieces(random(9), 4), 10, 100, counter))
        .isInstanceOf(ReceivedBody.Broken.class);
  }

  @Test
  void aBodyThatTakesTooLongIsBroken() {
    assertThat(new BodyReader(Duration.ZERO).read(new Pieces(random(10), 1), 10, 100, counter))
        .isInstanceOf(ReceivedBody.Broken.class);
    assertThat(counter.counted).isEqualTo(1);
  }

  @Test
  void aStreamThatFailsIsBroken() {
    var failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("reset");
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            throw new IOException("reset");
          }
        };
    assertThat(reader.read(failing, 10, 100, counter)).isInstanceOf(ReceivedBody.Broken.class);
  }
}
