package dev.highwater.codec;

import dev.highwater.hook.Delivery;

/**
 * The value of a delivery row, format 1: state(1) attempts(4) due(8) last-attempt-at(8) last-error.
 */
public final class DeliveryCodec {
  private static final int VERSION = 1;
  private static final int LONGEST_ERROR = 500;

  private DeliveryCodec() {}

  /**
   * Encodes all but seq and sink, which are the key; an error is cut after {@value #LONGEST_ERROR}
   * characters.
   */
  public static byte[] encode(Delivery delivery) {
    String error = delivery.lastError();
    return new ByteWriter(32 + error.length())
        .u8(VERSION)
        .u8(delivery.state().code())
        .i32(delivery.attempts())
        .i64(delivery.due())
        .i64(delivery.lastAttemptAt())
        .text(error.length() > LONGEST_ERROR ? error.substring(0, LONGEST_ERROR) : error)
        .doneWithChecksum();
  }

  /**
   * Decodes a delivery row.
   *
   * @throws UnreadableValueException if it is damaged or of another format
   */
  public static Delivery decode(long seq, int sinkId, byte[] value) {
    var reader = ByteReader.value("delivery of " + seq + " to sink " + sinkId, value, VERSION);
    try {
      var delivery =
          new Delivery(
              seq,
              sinkId,
              Delivery.State.ofCode((byte) reader.u8()),
              reader.i32(),
              reader.i64(),
              reader.i64(),
              reader.text());
      reader.mustEnd();
      return delivery;
    } catch (IllegalArgumentException e) {
      throw new UnreadableValueException(
          "delivery of " + seq + " to sink " + sinkId + " does not decode: " + e.getMessage());
    }
  }
}
