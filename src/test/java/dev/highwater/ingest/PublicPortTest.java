package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class PublicPortTest {
  @Test
  void connectionsTakeAPartOfTheHeapAndNoMore() {
    assertThat(PublicPort.connectionsWithin(DataSize.ofMegabytes(512).toBytes())).isEqualTo(1024);
    assertThat(PublicPort.connectionsWithin(DataSize.ofGigabytes(4).toBytes())).isEqualTo(8192);
  }

  @Test
  void thereIsAlwaysOne() {
    assertThat(PublicPort.connectionsWithin(1)).isEqualTo(1);
  }
}
