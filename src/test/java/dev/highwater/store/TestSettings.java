package dev.highwater.store;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings of a store under test: no ballast, no limit on the free disk, 8 MiB of memory, waits of
 * milliseconds, and what a test says otherwise.
 */
public final class TestSettings {
  private static final int MIB = 1024 * 1024;

  private final Path directory;
  private long minFree;
  private long ballast;
  private Duration tick = Duration.ofMillis(20);
  private Duration reopenMinInterval = Duration.ZERO;
  private boolean acceptLoss;

  private TestSettings(Path directory) {
    this.directory = directory;
  }

  public static TestSettings in(Path directory) {
    return new TestSettings(directory);
  }

  public TestSettings space(long minFreeBytes, long ballastBytes) {
    minFree = minFreeBytes;
    ballast = ballastBytes;
    return this;
  }

  public TestSettings tick(Duration time) {
    tick = time;
    return this;
  }

  public TestSettings reopenMinInterval(Duration time) {
    reopenMinInterval = time;
    return this;
  }

  public TestSettings acceptLoss() {
    acceptLoss = true;
    return this;
  }

  public StoreSettings build() {
    return new StoreSettings(
        directory,
        minFree,
        ballast,
        tick,
        reopenMinInterval,
        Duration.ofMillis(5),
        Duration.ofMillis(50),
        8 * MIB,
        4 * MIB,
        MIB,
        StoreSettings.defaults(directory).writeBuffers(),
        16 * MIB,
        acceptLoss);
  }
}
