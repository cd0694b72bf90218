package dev.highwater.dispatch;

import dev.highwater.codec.DeliveryCodec;
import dev.highwater.codec.HookCodec;
import dev.highwater.codec.Keys;
import dev.highwater.codec.UnreadableValueException;
import dev.highwater.hook.Hook;
import dev.highwater.store.Family;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the hooks of rows whose attempts are to start. One damaged hook is an error of its own
 * delivery and of no other; a store that cannot be read is an error of none (G8).
 */
final class HookReader {
  private static final Logger log = LoggerFactory.getLogger(HookReader.class);

  /** What was found for one row. */
  sealed interface Found {
    /**
     * All of it.
     *
     * @param attempts how many attempts have ended before
     */
    record Whole(Hook hook, int attempts) implements Found {}

    /** It is there and does not decode. */
    record Unreadable(String reason) implements Found {}

    /** The due row is there and the hook is not. */
    record Missing() implements Found {}

    /** Both are gone: someone has taken the delivery away meanwhile. */
    record Gone() implements Found {}

    /** Reading this one failed, reading others did not. */
    record Failed(StoreException why) implements Found {}
  }

  private record Values(byte @Nullable [] hook, byte @Nullable [] delivery, boolean isStillDue) {}

  private final Store store;

  HookReader(Store store) {
    this.store = store;
  }

  /**
   * Reads what belongs to each row, in their order.
   *
   * @throws StoreException if not one of them could be read: nothing is known of any
   */
  List<Found> read(List<Row> rows) throws StoreException {
    try {
      return decode(rows, valuesOf(rows));
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (StoreException e) {
      return readSingly(rows, e);
    }
  }

  private List<Found> readSingly(List<Row> rows, StoreException first) throws StoreException {
    List<Found> found = new ArrayList<>(rows.size());
    boolean any = false;
    for (Row row : rows) {
      try {
        found.addAll(decode(List.of(row), valuesOf(List.of(row))));
        any = true;
      } catch (StoreUnavailableException e) {
        throw e;
      } catch (StoreException e) {
        found.add(new Found.Failed(e));
      }
    }
    if (!any) {
      throw first;
    }
    return found;
  }

  private List<Values> valuesOf(List<Row> rows) throws StoreException {
    List<byte[]> hookKeys = new ArrayList<>(rows.size());
    List<byte[]> deliveryKeys = new ArrayList<>(rows.size());
    for (Row row : rows) {
      hookKeys.add(Keys.hook(row.seq()));
      deliveryKeys.add(Keys.delivery(row.seq(), row.lane().id()));
    }
    try (var lease = store.lease()) {
      var hooks = lease.multiGet(Family.HOOKS, hookKeys);
      var deliveries = lease.multiGet(Family.DELIVERIES, deliveryKeys);
      List<Values> values = new ArrayList<>(rows.size());
      for (int i = 0; i < rows.size(); i++) {
        byte[] hook = hooks.get(i);
        boolean isStillDue = hook != null || lease.get(Family.INDEX, rows.get(i).dueKey()) != null;
        values.add(new Values(hook, deliveries.get(i), isStillDue));
      }
      return values;
    }
  }

  private static List<Found> decode(List<Row> rows, List<Values> values) {
    List<Found> found = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      found.add(decode(rows.get(i), values.get(i)));
    }
    return found;
  }

  private static Found decode(Row row, Values values) {
    byte[] hook = values.hook();
    if (hook == null) {
      return values.isStillDue() ? new Found.Missing() : new Found.Gone();
    }
    try {
      return new Found.Whole(HookCodec.decode(row.seq(), hook), attemptsOf(row, values.delivery()));
    } catch (UnreadableValueException e) {
      return new Found.Unreadable(String.valueOf(e.getMessage()));
    }
  }

  /** The due row is what counts: without a readable count the delivery begins anew. */
  private static int attemptsOf(Row row, byte @Nullable [] delivery) {
    if (delivery == null) {
      log.error("The {} has no row of its own; its attempts are counted from 0.", row);
      return 0;
    }
    try {
      return DeliveryCodec.decode(row.seq(), row.lane().id(), delivery).attempts();
    } catch (UnreadableValueException e) {
      log.error("The {} does not decode; its attempts are counted from 0.", row, e);
      return 0;
    }
  }
}
