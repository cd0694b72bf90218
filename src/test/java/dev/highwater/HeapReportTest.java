package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.dispatch.DispatchProperties;
import dev.highwater.queue.QueueProperties;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class HeapReportTest {
  private final HeapReport report =
      new HeapReport(QueueProperties.defaults(), DispatchProperties.usual());

  @Test
  void everyBoundThatTheHeapCutsIsALine() {
    assertThat(report.lines(DataSize.ofMegabytes(128).toBytes()))
        .containsExactly(
            "highwater.queue.max-bytes is 512 MB, but 32 MB is used:"
                + " no more fits the heap of 128 MB (-Xmx)",
            "highwater.queue.max-group-bytes is 8 MB, but 4 MB is used:"
                + " no more fits the heap of 128 MB (-Xmx)",
            "highwater.dispatch.max-bytes is 128 MB, but 8 MB is used:"
                + " no more fits the heap of 128 MB (-Xmx)");
  }

  @Test
  void onlyWhatIsCutIsSaid() {
    assertThat(report.lines(DataSize.ofGigabytes(1).toBytes()))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("highwater.queue.max-bytes is 512 MB, but 256 MB"),
            line ->
                assertThat(line).startsWith("highwater.dispatch.max-bytes is 128 MB, but 64 MB"));
    assertThat(report.lines(DataSize.ofGigabytes(4).toBytes())).isEmpty();
  }
}
