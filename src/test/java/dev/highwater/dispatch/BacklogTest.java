package dev.highwater.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.hook.SourceRef;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreUnavailableException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private CountingStore store;

  @BeforeEach
  void newStore() throws StoreException {
    store = new CountingStore();
  }

  @Test
  void dueRowsAreCountedBySinkOverManyLeases() throws StoreException {
    var batch = new Batch();
    for (int i = 1; i <= 25_000; i++) {
      batch.put(Family.INDEX, Keys.due(1 + i % 2, 100 + i, i), Keys.number(i % 2 == 0 ? 7 : 2));
    }
    batch.put(Family.INDEX, Keys.dead(1, 1, 1), Keys.number(0));
    store.apply(batch);

    assertThat(Backlog.count(store, 24_999))
        .containsOnlyKeys(1, 2)
        .containsEntry(1, new Backlog.Waiting(12_499, 7 * 12_499, 102))
        .containsEntry(2, new Backlog.Waiting(12_500, 2 * 12_500, 101));
    assertThat(store.scans()).isEqualTo(3);
  }

  @Test
  void aRowWhoseLengthDoesNotDecodeCountsAsARow() throws StoreException {
    var batch = new Batch();
    batch.put(Family.INDEX, Keys.due(1, 100, 1), new byte[3]);
    batch.put(Family.INDEX, Keys.due(1, 101, 2), Keys.number(-1));
    batch.put(Family.INDEX, Keys.due(1, 102, 3), Keys.number(1L << 40));
    batch.put(Family.INDEX, Keys.due(1, 103, 4), Keys.number(5));
    store.apply(batch);

    assertThat(Backlog.count(store, 9)).containsEntry(1, new Backlog.Waiting(4, 5, 100));
  }

  @Test
  void sinksAreKnownByTheirNames() throws StoreException {
    var shop = new SourceRef("acme", "shop");
    var batch = new Batch();
    batch.put(Family.DEFAULT, Keys.sink(shop, "main"), Keys.number(3));
    batch.put(Family.DEFAULT, Keys.nextSeq(), Keys.number(9));
    store.apply(batch);

    assertThat(Backlog.names(store)).containsExactly(Map.entry(3, new Keys.SinkName(shop, "main")));
    assertThatThrownBy(() -> Keys.sinkNameOf(new byte[] {'k', 9, 'a'}))
        .isInstanceOf(UnreadableValueException.class);
  }

  @Test
  void whatCannotBeReadIsNotTakenForNothing() {
    store.available(false);

    assertThatThrownBy(() -> Backlog.count(store, 1)).isInstanceOf(StoreUnavailableException.class);
  }
}
