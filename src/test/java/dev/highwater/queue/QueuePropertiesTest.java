package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class QueuePropertiesTest {
  private final QueueProperties usual = QueueProperties.defaults();

  @Test
  void bodiesTakeNoMoreThanTheirPartOfTheHeap() {
    QueueProperties small = usual.within(128L << 20);

    assertThat(small.maxBytes()).isEqualTo(DataSize.ofMegabytes(32));
    assertThat(small.maxGroupBytes()).isEqualTo(DataSize.ofMegabytes(4));
    assertThat(small.maxRecords()).isEqualTo(usual.maxRecords());
  }

  @Test
  void whatFitsIsLeftAsItIs() {
    assertThat(usual.within(2L << 30)).isEqualTo(usual);
  }
}
