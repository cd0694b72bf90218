package dev.highwater.dispatch;

import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits in the store at the start: how many due rows each sink has, how long their bodies are
 * together, and from which stamp on. Reads in pieces, so that no lease is held long.
 */
final class Backlog {
  private static final Logger log = LoggerFactory.getLogger(Backlog.class);
  private static final int PIECE = 10_000;

  /**
   * @param rows how many due rows
   * @param bytes the lengths of their bodies together
   * @param firstAt the stamp of the first
   */
  record Waiting(long rows, long bytes, long firstAt) {
    Waiting plus(Waiting later) {
      return new Waiting(rows + later.rows, bytes + later.bytes, firstAt);
    }
  }

  private Backlog() {}

  /**
   * Counts every due row, by sink id.
   *
   * @param durableSeq rows above it are not counted: the queue tells of them when they are durable
   * @throws StoreException if a read failed; what was counted so far means nothing
   */
  static Map<Integer, Waiting> count(Store store, long durableSeq) throws StoreException {
    Map<Integer, Waiting> bySink = new TreeMap<>();
    forEach(
        store,
        Family.INDEX,
        Keys.DUE,
        (key, value) -> {
          var position = Keys.positionOf(key);
          var row =
              position.seq() <= durableSeq
                  ? new Waiting(1, lengthIn(value), position.at())
                  : new Waiting(0, 0, position.at());
          bySink.merge(position.sinkId(), row, Waiting::plus);
        });
    return bySink;
  }

  /**
   * The name of every sink that ever had an id.
   *
   * @throws StoreException if a read failed
   */
  static Map<Integer, Keys.SinkName> names(Store store) throws StoreException {
    Map<Integer, Keys.SinkName> byId = new HashMap<>();
    forEach(
        store,
        Family.DEFAULT,
        Keys.SINK_BY_NAME,
        (key, value) -> byId.put((int) Keys.numberOf(value), Keys.sinkNameOf(key)));
    return byId;
  }

  /** The row counts even where its length does not decode; the scan that reaches it says so. */
  private static long lengthIn(byte[] value) {
    try {
      return Row.lengthIn(value);
    } catch (UnreadableValueException e) {
      return 0;
    }
  }

  private interface Visitor {
    void row(byte[] key, byte[] value);
  }

  private static void forEach(Store store, Family family, byte kind, Visitor visitor)
      throws StoreException {
    byte[] from = Keys.first(kind);
    byte[] to = Keys.after(kind);
    boolean more = true;
    while (more) {
      more = false;
      try (var lease = store.lease();
          var cursor = lease.scan(family, from, to, StorageEngine.Direction.FORWARD)) {
        for (int i = 0; cursor.next(); i++) {
          if (i == PIECE) {
            more = true;
            from = cursor.key();
            break;
          }
          visit(visitor, cursor.key(), cursor.value());
        }
      }
    }
  }

  private static void visit(Visitor visitor, byte[] key, byte[] value) {
    try {
      visitor.row(key, value);
    } catch (UnreadableValueException e) {
      log.error(
          "A row of kind '{}' does not decode and is left where it is: {}",
          (char) key[0],
          Arrays.toString(key),
          e);
    }
  }
}
