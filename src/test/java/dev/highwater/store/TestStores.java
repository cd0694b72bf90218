package dev.highwater.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.highwater.codec.Keys;
import java.nio.file.Path;
import java.util.Arrays;

/** The usual settings of a store under test, and rows for it. */
public final class TestStores {
  private TestStores() {}

  public static StoreSettings settings(Path directory) {
    return TestSettings.in(directory).build();
  }

  /** A group as the writer makes them: a hook, the next seq, and the durable seq known then. */
  static Batch group(long seq, long knownDurable, int bodyBytes) {
    var batch = new Batch();
    var body = new byte[bodyBytes];
    Arrays.fill(body, (byte) seq);
    batch.put(Family.HOOKS, Keys.hook(seq), body);
    batch.put(Family.DEFAULT, Keys.nextSeq(), Keys.number(seq + 1));
    batch.put(Family.DEFAULT, Keys.knownDurable(), Keys.number(knownDurable));
    return batch;
  }

  /** Writes hooks 1 to {@code last}, each synced before the next, so that each names the former. */
  static void acknowledge(StorageEngine engine, int last, int bodyBytes) throws StoreException {
    for (int seq = 1; seq <= last; seq++) {
      engine.write(group(seq, seq - 1, bodyBytes), false);
      engine.syncWal();
    }
  }

  static long hooks(StorageEngine engine) throws StoreException {
    long rows = 0;
    try (var cursor =
        engine.scan(
            Family.HOOKS,
            Keys.hook(0),
            Keys.hook(Long.MAX_VALUE),
            StorageEngine.Direction.FORWARD)) {
      while (cursor.next()) {
        rows++;
      }
    }
    return rows;
  }

  static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
