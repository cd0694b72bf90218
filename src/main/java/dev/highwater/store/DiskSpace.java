package dev.highwater.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the free disk and keeps the ballast file. {@link #check} and {@link #releaseBallast} run
 * on the store's thread, or before it is started; the answers may be read by any thread.
 */
final class DiskSpace {
  private static final Logger log = LoggerFactory.getLogger(DiskSpace.class);

  /** So much ballast is written per check, so that a check never takes long. */
  private static final int STEP = 16 * 1024 * 1024;

  private static final int CHUNK = 1024 * 1024;

  /** How much of the disk a directory is on is free. */
  interface Probe {
    long freeBytes(Path directory) throws IOException;
  }

  private final StoreSettings settings;
  private final Probe probe;
  private volatile boolean room = true;
  private volatile long free = -1;
  private boolean complained;

  DiskSpace(StoreSettings settings, Probe probe) {
    this.settings = settings;
    this.probe = probe;
  }

  boolean hasRoom() {
    return room;
  }

  long freeBytes() {
    return free;
  }

  /**
   * Looks at the disk. Room ends below the limit and comes back a quarter above it, so that it does
   * not flicker.
   */
  void check() {
    try {
      long now = probe.freeBytes(settings.directory());
      free = now;
      long enough = settings.minFreeBytes() + settings.minFreeBytes() / 4;
      if (now < settings.minFreeBytes()) {
        say(false, now);
      } else if (now >= enough) {
        say(true, now);
        growBallast(now - enough);
      }
      complained = false;
    } catch (IOException e) {
      if (!complained) {
        complained = true;
        log.warn("Cannot look after the disk of {}: {}", settings.directory(), e.toString());
      }
    }
  }

  private void say(boolean now, long bytes) {
    if (room != now) {
      room = now;
      if (now) {
        log.info("{} has room again: {} bytes free", settings.directory(), bytes);
      } else {
        log.warn(
            "{} has {} bytes free, less than the {} of highwater.store.min-free: nothing new is"
                + " taken in",
            settings.directory(),
            bytes,
            settings.minFreeBytes());
      }
    }
  }

  /** Gives the ballast's disk back; true if there was any. */
  boolean releaseBallast() {
    try {
      boolean had = Files.exists(settings.ballast()) && Files.size(settings.ballast()) > 0;
      if (Files.deleteIfExists(settings.ballast()) && had) {
        log.warn("The disk is full: gave up the ballast file {}", settings.ballast());
      }
      return had;
    } catch (IOException e) {
      log.warn("Cannot delete the ballast file {}: {}", settings.ballast(), e.toString());
      return false;
    }
  }

  private void growBallast(long spare) throws IOException {
    long size = Files.exists(settings.ballast()) ? Files.size(settings.ballast()) : 0;
    long missing = settings.ballastBytes() - size;
    if (missing <= 0 || spare < missing) {
      return;
    }
    // Noise, because a file system that compresses would keep no ballast for zeros.
    byte[] noise = new byte[(int) Math.min(CHUNK, missing)];
    new Random(size).nextBytes(noise);
    try (var file =
        FileChannel.open(
            settings.ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      long left = Math.min(STEP, missing);
      while (left > 0) {
        var chunk = ByteBuffer.wrap(noise, 0, (int) Math.min(noise.length, left));
        left -= file.write(chunk);
      }
    }
  }
}
