package dev.highwater.store;

import java.util.Locale;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Why a write, flush, sync or opening failed; what meters tell apart and the ballast is for. */
public enum FailureKind {
  NO_SPACE,
  IO,
  CORRUPTION,
  OTHER;

  /** The kind of a failure: by RocksDB's status where there is one, else by its words. */
  public static FailureKind of(StoreException failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof RocksDBException e && e.getStatus() != null) {
        return of(e.getStatus());
      }
    }
    String words = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    if (words.contains("no space left")) {
      return NO_SPACE;
    }
    if (words.contains("corruption")) {
      return CORRUPTION;
    }
    return words.contains("input/output") ? IO : OTHER;
  }

  private static FailureKind of(Status status) {
    String state = status.getState();
    if (status.getSubCode() == Status.SubCode.NoSpace
        || (state != null && state.contains("No space left"))) {
      return NO_SPACE;
    }
    return switch (status.getCode()) {
      case IOError -> IO;
      case Corruption -> CORRUPTION;
      default -> OTHER;
    };
  }
}
