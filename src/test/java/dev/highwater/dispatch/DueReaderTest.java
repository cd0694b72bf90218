package dev.highwater.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.highwater.codec.Keys;
import dev.highwater.hook.SourceRef;
import dev.highwater.queue.Marks;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a scan may see, at each of its steps. */
class DueReaderTest {
  private static final int ID = 7;

  private CountingStore store;
  private Lane lane;
  private Marks marks = new Marks(100, 100, 50, 50, 1, false);
  private long stamp = 50;
  private DueReader reader;

  @BeforeEach
  void newReader() throws StoreException {
    store = new CountingStore();
    lane =
        new Lane(
            ID, SourceRef.of("shop"), "main", new FakeSink(), RetryPolicy.usual(), new Tenant());
    reader = new DueReader(store, () -> marks, () -> stamp);
  }

  private void due(int sinkId, long at, long seq) {
    var batch = new Batch();
    batch.put(Family.INDEX, Keys.due(sinkId, at, seq), Keys.number(3));
    try {
      store.apply(batch);
    } catch (StoreException e) {
      throw new AssertionError(e);
    }
  }

  private List<Long> takeReady() {
    List<Long> seqs = new ArrayList<>();
    while (lane.hasReady()) {
      seqs.add(lane.takeReady().seq());
    }
    return seqs;
  }

  @Test
  void onlyItsOwnSinksRowsUpToNowAreRead() throws StoreException {
    due(ID - 1, 1, 1);
    due(ID, 40, 2);
    due(ID, 50, 1);
    due(ID, 51, 3);
    due(ID + 1, 1, 4);

    assertThat(reader.read(lane, 10)).isEqualTo(DueReader.Result.READ);

    assertThat(takeReady()).containsExactly(2L, 1L);
    assertThat(lane.floorAt()).as("the next row, which is not due").isEqualTo(51);
  }

  @Test
  void aScanThatFindsTheEndLeavesNoFloorUntilAWakeBringsItBack() throws StoreException {
    due(ID, 40, 2);
    reader.read(lane, 10);
    assertThat(lane.floorAt()).isEqualTo(Lane.END);

    due(ID, 45, 3);
    lane.wake(45);
    lane.takeWake();
    reader.read(lane, 10);

    assertThat(takeReady()).containsExactly(2L, 3L);
  }

  @Test
  void whileAGroupIsUnsyncedNothingOfTheNewestDurableStampIsRead() throws StoreException {
    marks = new Marks(101, 100, 50, 50, 1, false);
    stamp = 60;
    due(ID, 49, 1);
    due(ID, 50, 2);

    reader.read(lane, 10);

    assertThat(takeReady()).containsExactly(1L);
    assertThat(lane.floorAt()).isEqualTo(50);
  }

  @Test
  void aRowAboveTheDurableSeqIsNotReadWhateverItsStamp() throws StoreException {
    due(ID, 10, 1);
    due(ID, 11, 101);

    assertThat(reader.read(lane, 10)).isEqualTo(DueReader.Result.TOO_EARLY);

    assertThat(takeReady()).containsExactly(1L);
    assertThat(lane.floorAt()).isEqualTo(11);
  }

  @Test
  void rowsThatBecomeDurableAfterTheCursorWasOpenedAreNotSkipped() throws StoreException {
    due(ID, 10, 1);
    store.onceAfterScanOpened(
        () -> {
          due(ID, 20, 101);
          marks = new Marks(101, 101, 60, 60, 1, false);
          stamp = 60;
          lane.wake(20);
        });

    reader.read(lane, 10);
    lane.takeWake();
    reader.read(lane, 10);

    assertThat(takeReady()).containsExactly(1L, 101L);
  }

  @Test
  void nothingIsReadWhileFenced() throws StoreException {
    due(ID, 10, 1);
    marks = new Marks(100, 100, 50, 50, 2, true);

    assertThat(reader.read(lane, 10)).isEqualTo(DueReader.Result.FENCED);

    assertThat(lane.hasReady()).isFalse();
    assertThat(lane.floorAt()).isZero();
  }

  @Test
  void whatWasReadAcrossTheBeginningOfAFenceDoesNotCount() throws StoreException {
    due(ID, 10, 1);
    var before = marks;
    var asked = new int[1];
    var fencing =
        new DueReader(
            store,
            () -> asked[0]++ == 0 ? before : new Marks(100, 100, 50, 50, 2, false),
            () -> stamp);

    assertThat(fencing.read(lane, 10)).isEqualTo(DueReader.Result.FENCED);

    assertThat(lane.hasReady()).isFalse();
    assertThat(lane.floorAt()).isZero();
  }

  @Test
  void aScanStopsAtItsLimitAndGoesOnBehindIt() throws StoreException {
    for (int seq = 1; seq <= 10; seq++) {
      due(ID, 10, seq);
    }
    reader.read(lane, 4);
    assertThat(takeReady()).containsExactly(1L, 2L, 3L, 4L);
    long walked = store.steps();

    reader.read(lane, 4);

    assertThat(takeReady()).containsExactly(5L, 6L, 7L, 8L);
    assertThat(store.steps() - walked).isEqualTo(5);
  }

  @Test
  void rowsThatAreHeldAreNotReadAgain() throws StoreException {
    due(ID, 10, 1);
    due(ID, 10, 2);
    reader.read(lane, 10);
    assertThat(takeReady()).containsExactly(1L, 2L);
    due(ID, 10, 3);
    lane.lowerFloor(0);

    reader.read(lane, 10);

    assertThat(takeReady()).containsExactly(3L);
  }

  @Test
  void damageIsAnErrorAndNotTheEndAndWhatStandsBeforeItIsRead() throws StoreException {
    due(ID, 10, 1);
    due(ID, 11, 2);
    due(ID, 12, 3);
    store.makeUnreadable(Keys.due(ID, 11, 2));

    assertThatThrownBy(() -> reader.read(lane, 10)).isInstanceOf(StoreException.class);
    assertThat(takeReady()).containsExactly(1L);
    assertThat(lane.floorAt()).isNotEqualTo(Lane.END);

    store.makeReadable();
    reader.read(lane, 10);
    assertThat(takeReady()).containsExactly(2L, 3L);
  }

  @Test
  void aKeyThatDoesNotDecodeIsPassedOver() throws StoreException {
    due(ID, 10, 1);
    var batch = new Batch();
    byte[] key = Arrays.copyOf(Keys.due(ID, 10, 2), 18);
    batch.put(Family.INDEX, key, new byte[0]);
    store.apply(batch);
    due(ID, 10, 3);

    reader.read(lane, 10);

    assertThat(takeReady()).containsExactly(1L, 3L);
  }
}
