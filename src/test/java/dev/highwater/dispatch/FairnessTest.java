package dev.highwater.dispatch;

import static dev.highwater.dispatch.Bench.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** Sinks that hang hold nothing that others need. */
class FairnessTest {
  private Bench bench;

  @BeforeEach
  void newBench() throws StoreException {
    bench = new Bench();
  }

  @AfterEach
  void closeBench() {
    bench.close();
  }

  @Test
  void aSinkThatHangsWithFourThousandHooksDelaysNoOtherTenant() throws StoreException {
    FakeSink dead = bench.sink("loud", "shop", "main");
    FakeSink live = bench.sink("quiet", "shop", "main");
    dead.hang();
    bench.start();
    bench.take("loud", "shop", 4_000);
    soon().untilAsserted(() -> assertThat(dead.running()).isEqualTo(16));

    bench.take("quiet", "shop", 100);

    soon()
        .untilAsserted(
            () -> assertThat(bench.stats("quiet", "shop", "main").delivered()).isEqualTo(100));
    assertThat(live.attempts()).isEqualTo(100);
    assertThat(dead.mostRunning()).as("its cap").isEqualTo(16);
    assertThat(bench.stats("loud", "shop", "main").pending()).isEqualTo(4_000);
  }

  @Test
  void aTenantWithManyHangingSinksLeavesSlotsToOthersAndToItsOwnLiveSink() throws StoreException {
    List<FakeSink> dead = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      FakeSink sink = bench.sink("loud", "dead-" + i, "main");
      sink.hang();
      dead.add(sink);
    }
    bench.sink("loud", "live", "main");
    bench.sink("quiet", "shop", "main");
    bench.start();
    for (int i = 0; i < 20; i++) {
      bench.take("loud", "dead-" + i, 50);
    }
    soon().untilAsserted(() -> assertThat(dead).allMatch(sink -> sink.running() > 0));

    bench.take("quiet", "shop", 50);
    bench.take("loud", "live", 50);

    soon()
        .untilAsserted(
            () -> {
              assertThat(bench.stats("quiet", "shop", "main").delivered()).isEqualTo(50);
              assertThat(bench.stats("loud", "live", "main").delivered()).isEqualTo(50);
            });
    assertThat(dead.stream().mapToInt(FakeSink::running).sum()).isLessThanOrEqualTo(56);
  }

  @Test
  void aSinkThatHangsOnLargeBodiesLeavesBytesToOthers() throws StoreException {
    bench.bounds(Bench.bounds(64, 16, 4096, DataSize.ofMegabytes(1)));
    FakeSink dead = bench.sink("loud", "shop", "main");
    FakeSink live = bench.sink("quiet", "shop", "main");
    dead.hang();
    bench.start();
    bench.take("loud", "shop", 16, 200_000);
    soon().untilAsserted(() -> assertThat(dead.running()).isEqualTo(2));

    bench.take("quiet", "shop", 10, 200_000);

    soon()
        .untilAsserted(
            () -> assertThat(bench.stats("quiet", "shop", "main").delivered()).isEqualTo(10));
    assertThat(dead.running()).isEqualTo(2);
    assertThat(live.mostRunning()).isLessThanOrEqualTo(2);
  }

  @Test
  void aBodyLargerThanTheBoundIsDeliveredAlone() throws StoreException {
    bench.bounds(Bench.bounds(64, 16, 4096, DataSize.ofMegabytes(1)));
    FakeSink sink = bench.sink("default", "shop", "main");
    bench.start();
    bench.take("default", "shop", 4, 1_500_000);

    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
    assertThat(sink.mostRunning()).isEqualTo(1);
  }

  @Test
  void tenantsTakeTurnsWhenOneHasMoreSinks() throws StoreException {
    bench.bounds(Bench.bounds(1, 1, 10, DispatchProperties.usual().maxBytes()));
    FakeSink gate = bench.sink("gate", "shop", "main");
    FakeSink first = bench.sink("loud", "a", "main");
    FakeSink second = bench.sink("loud", "b", "main");
    FakeSink quiet = bench.sink("quiet", "shop", "main");
    gate.hang();
    List<Long> order = new ArrayList<>();
    for (FakeSink sink : List.of(first, second, quiet)) {
      sink.does(
          attempt -> {
            synchronized (order) {
              order.add(sink == quiet ? 1L : 0L);
            }
            return FakeSink.DELIVERS.on(attempt);
          });
    }
    bench.start();
    bench.take("gate", "shop", 1);
    soon().untilAsserted(() -> assertThat(gate.running()).isEqualTo(1));
    bench.take("loud", "a", 10);
    bench.take("loud", "b", 10);
    bench.take("quiet", "shop", 10);
    bench.advance(Duration.ofMillis(1));
    // All four have been scanned, and wait for the one slot.
    soon().untilAsserted(() -> assertThat(bench.store.scans()).isGreaterThanOrEqualTo(5));

    gate.release();

    soon().untilAsserted(() -> assertThat(bench.due()).isEmpty());
    assertThat(order.subList(0, 18).stream().filter(one -> one == 1L).count())
        .as("the quiet tenant has every other turn")
        .isBetween(8L, 10L);
  }
}
