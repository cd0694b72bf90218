package dev.highwater.ingest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Headers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which bodies are what their Content-Encoding says. */
class ContentEncodingTest {
  private static final long BOUND = 1 << 20;
  private static final byte[] TEXT = "{\"id\":\"evt_1\"}".repeat(1000).getBytes(US_ASCII);

  @ParameterizedTest
  @CsvSource({
    "'', NONE",
    "identity, NONE",
    "gzip, GZIP",
    "x-gzip, GZIP",
    "GZip, GZIP",
    "'identity, gzip', GZIP",
    "' ,deflate,', DEFLATE",
  })
  void whatIsSupportedIsKnown(String value, ContentEncoding encoding) {
    assertThat(ContentEncoding.of(Headers.of("Content-Encoding", value))).isEqualTo(encoding);
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "gzip, gzip", "gzip, deflate", "zstd", "gzip;q=1", "*"})
  void whatIsNotIsRefused(String value) {
    assertThat(ContentEncoding.of(Headers.of("Content-Encoding", value))).isNull();
  }

  @Test
  void twoHeadersAreOneList() {
    assertThat(ContentEncoding.of(Headers.of("content-encoding", "gzip", "Content-Encoding", "br")))
        .isNull();
    assertThat(ContentEncoding.of(Headers.none())).isEqualTo(ContentEncoding.NONE);
  }

  @Test
  void whatInflatesIsTaken() throws IOException {
    assertThat(isGzip(gzip(TEXT))).isTrue();
    assertThat(isGzip(gzip(new byte[0]))).isTrue();
    assertThat(isGzip(joined(gzip(TEXT), gzip(new byte[0]), gzip(TEXT)))).isTrue();
    assertThat(isDeflate(deflate(TEXT, false))).isTrue();
    assertThat(isDeflate(deflate(TEXT, true))).isTrue();
    assertThat(isDeflate(deflate(new byte[0], false))).isTrue();
  }

  @Test
  void everyFieldOfAHeaderIsPassedOver() throws IOException {
    byte[] plain = gzip(TEXT);
    byte[] header =
        joined(
            HexFormat.of().parseHex("1f8b081e0000000000ff"),
            new byte[] {3, 0, 1, 2, 3},
            "name\0comment\0".getBytes(US_ASCII));
    var crc = new CRC32();
    crc.update(header);
    byte[] checksum = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
    byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
    assertThat(isGzip(joined(header, checksum, rest))).isTrue();
    checksum[0] ^= 1;
    assertThat(isGzip(joined(header, checksum, rest))).isFalse();
  }

  @Test
  void whatStandsAfterTheLastMemberIsPassedOver() throws IOException {
    assertThat(isGzip(joined(gzip(TEXT), new byte[512]))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = ContentEncoding.class,
      names = {"GZIP", "DEFLATE"})
  void whatEndsEarlyIsDamaged(ContentEncoding encoding) throws IOException {
    byte[] whole = encoding == ContentEncoding.GZIP ? gzip(TEXT) : deflate(TEXT, false);
    for (int length = 1; length < whole.length; length++) {
      assertThat(encoding.isOf(Arrays.copyOf(whole, length), BOUND)).as("%d", length).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ContentEncoding.class,
      names = {"GZIP", "DEFLATE"})
  void whatIsNotCompressedAtAllIsDamaged(ContentEncoding encoding) {
    assertThat(encoding.isOf(TEXT, BOUND)).isFalse();
    assertThat(encoding.isOf(new byte[] {0x1f, (byte) 0x8b}, BOUND)).isFalse();
  }

  @Test
  void aWrongChecksumOrLengthIsDamage() throws IOException {
    for (int fromEnd = 1; fromEnd <= 8; fromEnd++) {
      byte[] body = gzip(TEXT);
      body[body.length - fromEnd] ^= 1;
      assertThat(isGzip(body)).as("%d from the end", fromEnd).isFalse();
    }
    byte[] second = joined(gzip(TEXT), gzip(TEXT));
    second[second.length - 1] ^= 1;
    assertThat(isGzip(second)).isFalse();
  }

  @Test
  void aStreamThatNeedsADictionaryIsNotAnEmptyOne() {
    Deflater deflater = new Deflater();
    deflater.setDictionary(TEXT);
    deflater.setInput(TEXT);
    deflater.finish();
    byte[] out = new byte[TEXT.length];
    int length = deflater.deflate(out);
    deflater.end();
    assertThat(isDeflate(Arrays.copyOf(out, length))).isFalse();
  }

  @Test
  void aBombIsInflatedToTheBoundAndNoFurther() throws IOException {
    byte[] bomb = gzip(new byte[4 << 20]);
    bomb[bomb.length - 1] ^= 1; // seen only by who goes to the end

    assertThat(ContentEncoding.GZIP.isOf(bomb, 1 << 20)).isTrue();
    assertThat(ContentEncoding.GZIP.isOf(bomb, 8 << 20)).isFalse();
  }

  @Test
  void aHundredThousandEmptyMembersTakeNoStackAndAreCharged() throws IOException {
    byte[] empty = gzip(new byte[0]);
    byte[] body = new byte[empty.length * 100_000];
    for (int i = 0; i < body.length; i += empty.length) {
      System.arraycopy(empty, 0, body, i, empty.length);
    }
    assertThat(ContentEncoding.GZIP.isOf(body, Long.MAX_VALUE)).isTrue();
    body[body.length - 1] ^= 1; // in the last one
    assertThat(ContentEncoding.GZIP.isOf(body, Long.MAX_VALUE)).isFalse();
    assertThat(ContentEncoding.GZIP.isOf(body, BOUND)).isTrue();
  }

  /** Whatever the JDK reads to its end is taken, and the other way round. */
  @Test
  void itSaysWhatTheJdkSays() throws IOException {
    Random random = new Random(20260301);
    for (int i = 0; i < 20_000; i++) {
      byte[] body = gzip(Arrays.copyOf(TEXT, random.nextInt(64)));
      for (int flips = random.nextInt(3); flips > 0; flips--) {
        body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
      }
      if ((body[3] & 0xE0) != 0) {
        continue; // reserved: the standard has them refused, the JDK does not look
      }
      assertThat(isGzip(body)).as(HexFormat.of().formatHex(body)).isEqualTo(jdkReads(body));
    }
  }

  private static boolean jdkReads(byte[] body) {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      in.transferTo(OutputStream.nullOutputStream());
      return true;
    } catch (IOException damaged) {
      return false;
    }
  }

  private static boolean isGzip(byte[] body) {
    return ContentEncoding.GZIP.isOf(body, BOUND);
  }

  private static boolean isDeflate(byte[] body) {
    return ContentEncoding.DEFLATE.isOf(body, BOUND);
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(plain);
    }
    return bytes.toByteArray();
  }

  private static byte[] deflate(byte[] plain, boolean bare) throws IOException {
    var bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, bare);
    try (var deflated = new DeflaterOutputStream(bytes, deflater)) {
      deflated.write(plain);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    var bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }
}
