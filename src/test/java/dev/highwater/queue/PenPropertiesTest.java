package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.hook.ErrorCode;
import dev.highwater.hook.SourceRef;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class PenPropertiesTest {
  @Test
  void aSourceGetsAQuarterUnlessItIsSet() {
    assertThat(PenProperties.defaults().perSource()).isEqualTo(64L << 20);
    assertThat(new PenProperties(DataSize.ofMegabytes(8), DataSize.ofMegabytes(8)).perSource())
        .isEqualTo(8L << 20);
  }

  @Test
  void whatIsOutOfBoundsIsNamed() {
    assertThatThrownBy(() -> new PenProperties(DataSize.ofKilobytes(1), null))
        .hasMessageContaining("highwater.pen.max-bytes must be 1MB to 65536MB");
    assertThatThrownBy(() -> new PenProperties(DataSize.ofMegabytes(1), DataSize.ofMegabytes(2)))
        .hasMessageContaining("highwater.pen.max-bytes-per-source must be 64KB to");
  }

  @Test
  void oneTenantOfSeveralGetsAtMostHalf() {
    var settings = new PenProperties(DataSize.ofMegabytes(1), DataSize.ofMegabytes(1));
    var room = new PenRoom(settings, QueueProperties.defaults(), true);
    var noisy = new SourceRef("noisy", "a");
    assertThat(room.enter(noisy, 500_000)).isNull();
    assertThat(room.enter(new SourceRef("noisy", "b"), 500_000))
        .isEqualTo(ErrorCode.QUARANTINE_FULL);
    assertThat(room.enter(new SourceRef("quiet", "c"), 500_000)).isNull();
    room.settled(noisy, 500_000, false);
    assertThat(room.content().bytes()).isEqualTo(500_000);
  }
}
