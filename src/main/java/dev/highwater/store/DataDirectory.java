package dev.highwater.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that a data directory is there, can be written to, and is this opening's alone.
 * RocksDB locks its own files; this lock covers the small files beside them as well, and the time
 * in which a damaged database is examined.
 */
final class DataDirectory {
  /**
   * What this process holds. Asked first, because opening and closing the lock file a second time
   * would silently give up the first lock.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private DataDirectory() {}

  /** The right to a data directory. */
  static final class Lock implements StorageEngine.Hold {
    private final Path directory;
    private @Nullable FileChannel channel;

    private Lock(Path directory) {
      this.directory = directory;
    }

    /** Gives the directory back; a second time does nothing. */
    @Override
    public synchronized void release() {
      var open = channel;
      channel = null;
      if (open == null) {
        return;
      }
      try {
        open.close();
      } catch (IOException e) {
        throw new IllegalStateException("cannot unlock " + directory, e);
      } finally {
        HELD.remove(directory);
      }
    }
  }

  static Lock lock(Path wanted) throws StoreException {
    if (Files.exists(wanted) && !Files.isDirectory(wanted)) {
      throw new StoreException("the data directory " + wanted + " is a file");
    }
    Path directory;
    try {
      directory = Files.createDirectories(wanted).toRealPath();
    } catch (IOException e) {
      throw new StoreException("cannot create the data directory " + wanted + ": " + e, e);
    }
    if (!HELD.add(directory)) {
      throw inUse(directory, "this process");
    }
    var lock = new Lock(directory);
    boolean held = false;
    try {
      var channel =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock.channel = channel;
      held = channel.tryLock() != null;
      if (!held) {
        throw inUse(directory, "another process");
      }
      return lock;
    } catch (IOException e) {
      throw new StoreException("cannot write to the data directory " + directory + ": " + e, e);
    } finally {
      if (!held) {
        lock.release();
        HELD.remove(directory);
      }
    }
  }

  static StoreException inUse(Path directory, String by) {
    return new StoreException("the data directory " + directory + " is in use by " + by);
  }
}
