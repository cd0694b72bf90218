package dev.highwater.queue;

import dev.highwater.codec.HookCodec;
import dev.highwater.codec.Keys;
import dev.highwater.hook.Hook;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine.Cursor;
import dev.highwater.store.StorageEngine.Direction;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.util.ArrayList;
import java.util.List;

/** What is in a store. */
final class StoredRows {
  private static final byte[] FIRST = {};
  private static final byte[] LAST = {-1, -1, -1, -1, -1, -1, -1, -1, -1};

  private StoredRows() {}

  /** All hooks, in the order of their seqs. */
  static List<Hook> hooks(Store store) throws StoreException {
    List<Hook> hooks = new ArrayList<>();
    try (StoreLease lease = store.lease();
        Cursor cursor =
            lease.scan(Family.HOOKS, Keys.hook(0), Keys.hook(Long.MAX_VALUE), Direction.FORWARD)) {
      while (cursor.next()) {
        hooks.add(HookCodec.decode(Keys.seqOfHook(cursor.key()), cursor.value()));
      }
    }
    return hooks;
  }

  /** How many rows a family has. */
  static int count(Store store, Family family) throws StoreException {
    int rows = 0;
    try (StoreLease lease = store.lease();
        Cursor cursor = lease.scan(family, FIRST, LAST, Direction.FORWARD)) {
      while (cursor.next()) {
        rows++;
      }
    }
    return rows;
  }
}
