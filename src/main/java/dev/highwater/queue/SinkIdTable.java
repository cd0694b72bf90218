package dev.highwater.queue;

import dev.highwater.codec.Keys;
import dev.highwater.hook.SourceRef;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sink ids of what is configured. Filled at the start, in one synced write, before anything is
 * served.
 */
final class SinkIdTable implements SinkIds {
  private final Map<ConfiguredSinks.Name, Integer> ids = new ConcurrentHashMap<>();

  private SinkIdTable() {}

  /** Reads the ids of the sinks and gives new ones to those that have none. */
  static SinkIdTable of(Store store, Collection<ConfiguredSinks.Name> sinks) throws StoreException {
    var table = new SinkIdTable();
    var batch = new Batch();
    try (StoreLease lease = store.lease()) {
      byte[] marker = lease.get(Family.DEFAULT, Keys.nextSink());
      long next = marker == null ? 1 : Keys.numberOf(marker);
      for (ConfiguredSinks.Name name : sinks) {
        byte[] key = Keys.sink(name.source(), name.sink());
        byte[] stored = lease.get(Family.DEFAULT, key);
        long id = stored == null ? next++ : Keys.numberOf(stored);
        if (stored == null) {
          batch.put(Family.DEFAULT, key, Keys.number(id));
        }
        table.ids.put(name, Math.toIntExact(id));
      }
      if (!batch.isEmpty()) {
        batch.put(Family.DEFAULT, Keys.nextSink(), Keys.number(next));
        lease.writeSynced(batch);
      }
    }
    return table;
  }

  @Override
  public int idOf(SourceRef source, String sink) {
    Integer id = ids.get(new ConfiguredSinks.Name(source, sink));
    if (id == null) {
      throw new IllegalArgumentException(
          "the sink " + sink + " of the source " + source + " was not configured at the start");
    }
    return id;
  }
}
