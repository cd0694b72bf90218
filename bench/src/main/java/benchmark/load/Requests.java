package benchmark.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Requests as GitHub sends them, made before the measurement: a number of bodies of random text, so
 * that compression gains nothing, each with its signature. Only the delivery id is written anew for
 * every request. Every row of the comparison gets the same bytes, whether it looks at them or not.
 *
 * <p>Used by one thread.
 */
final class Requests {
  /** The secret that everything here is signed with. */
  static final String SECRET = "benchmark-not-a-real-secret";

  private static final int BODIES = 64;
  private static final int COUNTER_DIGITS = 12;
  private static final HexFormat HEX = HexFormat.of();
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

  private final byte[][] requests = new byte[BODIES][];
  private final int[] counterAt = new int[BODIES];
  private long next;

  /**
   * Makes the requests.
   *
   * @param bodyBytes of each body, at least 16
   */
  Requests(String host, String path, int bodyBytes) throws GeneralSecurityException {
    var random = new Random();
    // Other for every run, so that a second run against the same store repeats nothing.
    String idStart =
        "%08x-%04x-%04x-%04x-"
            .formatted(
                random.nextInt(),
                random.nextInt(1 << 16),
                random.nextInt(1 << 16),
                random.nextInt(1 << 16));
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(US_ASCII), "HmacSHA256"));
    for (int i = 0; i < BODIES; i++) {
      byte[] body = body(random, bodyBytes);
      String head =
          "POST "
              + path
              + " HTTP/1.1\r\n"
              + "Host: "
              + host
              + "\r\n"
              + "User-Agent: GitHub-Hookshot/benchmark\r\n"
              + "Accept: */*\r\n"
              + "Content-Type: application/json\r\n"
              + "X-GitHub-Event: push\r\n"
              + "X-Hub-Signature-256: sha256="
              + HEX.formatHex(mac.doFinal(body))
              + "\r\n"
              + "Content-Length: "
              + bodyBytes
              + "\r\n"
              + "X-GitHub-Delivery: "
              + idStart;
      counterAt[i] = head.length();
      byte[] start = (head + "0".repeat(COUNTER_DIGITS) + "\r\n\r\n").getBytes(US_ASCII);
      byte[] request = new byte[start.length + bodyBytes];
      System.arraycopy(start, 0, request, 0, start.length);
      System.arraycopy(body, 0, request, start.length, bodyBytes);
      requests[i] = request;
    }
  }

  private static byte[] body(Random random, int bytes) {
    var text = new StringBuilder(bytes).append("{\"hook\":\"");
    while (text.length() < bytes - 2) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.append("\"}").toString().getBytes(US_ASCII);
  }

  /** The length of the longest request. */
  int longest() {
    int longest = 0;
    for (byte[] request : requests) {
      longest = Math.max(longest, request.length);
    }
    return longest;
  }

  /** Puts the next request there, ready to be written. */
  void next(ByteBuffer buffer) {
    int i = (int) (next % BODIES);
    buffer.clear();
    buffer.put(requests[i]);
    long counter = next++;
    for (int digit = COUNTER_DIGITS - 1; digit >= 0; digit--) {
      buffer.put(counterAt[i] + digit, (byte) Character.forDigit((int) (counter & 15), 16));
      counter >>>= 4;
    }
    buffer.flip();
  }
}
