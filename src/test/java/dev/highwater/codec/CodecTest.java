package dev.highwater.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Delivery;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.PenEntry;
import dev.highwater.hook.SourceRef;
import dev.highwater.hook.Verification;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of the store. The golden values must never change: stores in the field hold them. */
class CodecTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final HookId ID = HookId.parse("019b76da-a800-7abc-8def-0123456789ab");

  private static Hook hook() {
    return new Hook(
        258,
        1_767_225_600_000L,
        new Hook.Content(
            ID,
            new SourceRef("acme", "shop"),
            "POST",
            "/webhooks/acme/shop?x=1",
            Headers.of("Content-Type", "text/plain", "X-A", "1", "x-a", "2"),
            "hé\r\n".getBytes(StandardCharsets.UTF_8),
            1_767_225_600_001L,
            Verification.VERIFIED,
            "203.0.113.9",
            new DedupeKey(new byte[] {'k', 0, -1}, Duration.ofDays(3))),
        new int[] {1, 70_000});
  }

  @Test
  void aHookKeepsEveryFieldAndItsBytes() {
    assertThat(HEX.formatHex(HookCodec.encode(hook())))
        .isEqualTo(
            "010000019b76daa800019b76daa8007abc8def0123456789ab0461636d650473686f7004504f5354000000172f776562686f6f6b732f61636d652f73686f703f783d310000019b76daa801010b3230332e302e3131332e39036b00ff000000000f731400000200000001000111700003"
                + "0000000c436f6e74656e742d547970650000000a746578742f706c61696e00000003582d41000000013100000003782d610000000132000000056"
                + "8c3a90d0a"
                + checksumOf(HookCodec.encode(hook())));
    Hook decoded = HookCodec.decode(258, HookCodec.encode(hook()));
    assertThat(decoded).usingRecursiveComparison().isEqualTo(hook());
  }

  private static String checksumOf(byte[] value) {
    var crc = new java.util.zip.CRC32C();
    crc.update(value, 0, value.length - 4);
    return "%08x".formatted((int) crc.getValue());
  }

  @Test
  void aHookWithoutADedupeKeyDecodes() {
    var content = hook().content();
    var without =
        new Hook(
            1,
            2,
            new Hook.Content(
                content.id(),
                content.source(),
                "POST",
                "/",
                Headers.none(),
                new byte[0],
                3,
                Verification.NOT_CHECKED,
                "",
                null),
            new int[0]);
    assertThat(HookCodec.decode(1, HookCodec.encode(without)))
        .usingRecursiveComparison()
        .isEqualTo(without);
  }

  @Test
  void anyChangedByteIsNoticedAndNamed() {
    byte[] value = HookCodec.encode(hook());
    for (int i = 0; i < value.length; i++) {
      byte[] damaged = value.clone();
      damaged[i] ^= 0x40;
      assertThatThrownBy(() -> HookCodec.decode(258, damaged))
          .isInstanceOf(UnreadableValueException.class)
          .hasMessageContaining("258");
    }
    for (int length = 0; length < value.length; length++) {
      byte[] cut = Arrays.copyOf(value, length);
      assertThatThrownBy(() -> HookCodec.decode(258, cut))
          .isInstanceOf(UnreadableValueException.class);
    }
  }

  @Test
  void aValueOfALaterFormatIsRefusedByNumber() {
    byte[] later = new ByteWriter(8).u8(9).doneWithChecksum();
    assertThatThrownBy(() -> HookCodec.decode(1, later))
        .isInstanceOf(UnreadableValueException.class)
        .hasMessageContaining("format 9");
  }

  @Test
  void anEntryOfThePenKeepsEveryFieldAndItsBytes() {
    var entry = new PenEntry(hook(), "no_match", 1024);
    byte[] value = PenCodec.encode(entry);
    String hook = HEX.formatHex(HookCodec.encode(hook()));
    assertThat(HEX.formatHex(value))
        .isEqualTo(
            "01"
                + "0000000000000102"
                + "0000000000000400"
                + "086e6f5f6d61746368"
                + hook.substring(2, hook.length() - 8)
                + checksumOf(value));
    assertThat(PenCodec.decode(ID, value)).usingRecursiveComparison().isEqualTo(entry);
    value[3] ^= 1;
    assertThatThrownBy(() -> PenCodec.decode(ID, value))
        .isInstanceOf(UnreadableValueException.class)
        .hasMessageContaining(ID.toString());
  }

  @Test
  void theKeysOfThePenTellAllThatIsListed() {
    assertThat(HEX.formatHex(Keys.pen(ID)))
        .isEqualTo("0000019b76daa800" + "019b76daa8007abc8def0123456789ab");
    var row = Keys.PenRow.of(new PenEntry(hook(), "no_match", 1024));
    byte[] key = Keys.penRow(row);
    assertThat(HEX.formatHex(key))
        .isEqualTo(
            "71"
                + "0461636d65"
                + "0473686f70"
                + "0000000000000102"
                + "019b76daa8007abc8def0123456789ab"
                + "0000000000000400"
                + "086e6f5f6d61746368");
    assertThat(Keys.penRowOf(key)).isEqualTo(row);
    assertThat(Arrays.compareUnsigned(key, Keys.penRowsFrom(row.source(), 258))).isPositive();
    assertThat(Arrays.compareUnsigned(key, Keys.penRowsFrom(row.source(), 259))).isNegative();
    assertThatThrownBy(() -> Keys.penRowOf(Arrays.copyOf(key, key.length - 1)))
        .isInstanceOf(UnreadableValueException.class);
  }

  @Test
  void aDeliveryKeepsEveryField() {
    var delivery = new Delivery(258, 3, Delivery.State.DEAD, Integer.MAX_VALUE, 4, 5, "HTTP 410");
    byte[] value = DeliveryCodec.encode(delivery);
    assertThat(HEX.formatHex(value))
        .startsWith("01037fffffff0000000000000004000000000000000500000008" + "4854545020343130");
    assertThat(DeliveryCodec.decode(258, 3, value)).isEqualTo(delivery);
  }

  @Test
  void aLongErrorIsCut() {
    var delivery = new Delivery(1, 1, Delivery.State.PENDING, 1, 1, 1, "x".repeat(10_000));
    assertThat(DeliveryCodec.decode(1, 1, DeliveryCodec.encode(delivery)).lastError()).hasSize(500);
  }

  @Test
  void aDamagedDedupeValueIsAbsent() {
    var value = new DedupeValue(9, 8, ID);
    assertThat(DedupeValue.decodeOrNull(value.encode())).isEqualTo(value);
    byte[] damaged = value.encode();
    damaged[3] ^= 1;
    assertThat(DedupeValue.decodeOrNull(damaged)).isNull();
    assertThat(DedupeValue.decodeOrNull(null)).isNull();
  }

  @Test
  void keysSortAsTheirNumbersDo() {
    assertThat(Arrays.compareUnsigned(Keys.hook(255), Keys.hook(256))).isNegative();
    assertThat(Arrays.compareUnsigned(Keys.due(1, 5, 9), Keys.due(1, 6, 1))).isNegative();
    assertThat(Arrays.compareUnsigned(Keys.due(1, Long.MAX_VALUE, 1), Keys.due(2, 0, 1)))
        .isNegative();
    assertThat(Arrays.compareUnsigned(Keys.due(Integer.MAX_VALUE, 0, 0), Keys.after(Keys.DUE)))
        .isNegative();
  }

  @Test
  void keysSayWhatTheySaid() {
    assertThat(Keys.positionOf(Keys.due(7, 8, 9))).isEqualTo(new Keys.Position(7, 8, 9));
    assertThat(Keys.positionOf(Keys.dead(7, 8, 9))).isEqualTo(new Keys.Position(7, 8, 9));
    assertThat(Keys.seqOfHook(Keys.hook(42))).isEqualTo(42);
    assertThat(Keys.seqOfUndo(Keys.undo(42))).isEqualTo(42);
    byte[] dedupe = Keys.dedupe(SourceRef.of("a"), new byte[] {1});
    byte[] expiry = Keys.dedupeExpiry(77, dedupe);
    assertThat(Keys.expiresAtOf(expiry)).isEqualTo(77);
    assertThat(Keys.dedupeKeyOf(expiry)).isEqualTo(dedupe);
    assertThatThrownBy(() -> Keys.positionOf(new byte[] {'d', 0}))
        .isInstanceOf(UnreadableValueException.class);
  }

  @Test
  void dedupeKeysOfDifferentNamesNeverMeet() {
    assertThat(Keys.dedupe(new SourceRef("a", "bc"), new byte[] {'d'}))
        .isNotEqualTo(Keys.dedupe(new SourceRef("ab", "c"), new byte[] {'d'}));
    assertThat(Keys.dedupe(new SourceRef("a", "b"), new byte[] {'c', 'd'}))
        .isNotEqualTo(Keys.dedupe(new SourceRef("a", "b"), new byte[] {'c'}));
  }

  @Test
  void anUndoRowKeepsPresentAndAbsentValues() {
    var rows =
        List.of(
            new ChangesCodec.Row("index", new byte[] {1}, null),
            new ChangesCodec.Row("default", new byte[] {2, 3}, new byte[0]),
            new ChangesCodec.Row("hooks", new byte[0], new byte[] {9}));
    assertThat(ChangesCodec.decode("undo row", ChangesCodec.encode(rows)))
        .usingRecursiveComparison()
        .isEqualTo(rows);
  }

  @Test
  void anIdIsAUuidOfVersion7() {
    var id = HookId.of(1_767_225_600_000L, -1, -1);
    assertThat(id.toString()).isEqualTo("019b76da-a800-7fff-bfff-ffffffffffff");
    assertThat(HookId.parse(id.toString())).isEqualTo(id);
    assertThatThrownBy(() -> HookId.parse("1-1-1-1-1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /**
   * Whatever is encoded must decode again: a hook that was acknowledged and cannot be read is lost.
   */
  @Test
  void whatWouldNotDecodeAgainIsNotEncoded() {
    String[] headers = new String[2 * 65_536];
    Arrays.fill(headers, "a");
    var content = hook().content();
    var many =
        new Hook(
            1,
            1,
            new Hook.Content(
                ID,
                content.source(),
                "POST",
                "/",
                Headers.of(headers),
                new byte[0],
                1,
                Verification.VERIFIED,
                "",
                null),
            new int[0]);
    assertThatThrownBy(() -> HookCodec.encode(many)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DedupeKey(new byte[] {1}, Duration.ofNanos(999_999)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
