package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.RecordingSink.Delivery;
import dev.highwater.store.DiskFault;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The jar on a disk in the test's hands, with one source, a sender to it and a sink behind it. */
final class HighwaterOnBadDisk implements AutoCloseable {
  private static final String SOURCE = "shop";

  private final Path home;
  private final DiskFault disk;
  private final Sender sender;
  private final RecordingSink sink;
  private final List<RunningHighwater> started = new ArrayList<>();

  private HighwaterOnBadDisk(Path home, DiskFault disk, long seed) throws IOException {
    this.home = home;
    this.disk = disk;
    this.sender = new Sender(seed);
    this.sink = new RecordingSink();
  }

  /**
   * Starts it in that directory. Skips the test where faults cannot be made.
   *
   * @param seed of what is sent
   */
  static HighwaterOnBadDisk start(Path home, long seed) throws IOException {
    var disk = DiskFault.build(home);
    Assumptions.assumeTrue(disk.isPresent(), "gcc is needed");
    var rig = new HighwaterOnBadDisk(home, disk.orElseThrow(), seed);
    try {
      RunningHighwater.configure(
          home,
          """
          sources:
            %s:
              type: none
              dedupe: {header: x-id}
              sinks:
                - {name: out, type: http, url: "%s", retry: {base: 200ms, max: 1s}}
          """
              .formatted(SOURCE, rig.sink.url()));
      rig.startAgain();
      return rig;
    } catch (Throwable e) {
      rig.close();
      throw e;
    }
  }

  /** Starts one more process, on what the last one left. */
  RunningHighwater startAgain() throws IOException {
    var again = RunningHighwater.start(home, disk.environment());
    started.add(again);
    return again;
  }

  /** The process that was started last. */
  RunningHighwater highwater() {
    return started.getLast();
  }

  DiskFault disk() {
    return disk;
  }

  Sender sender() {
    return sender;
  }

  RecordingSink sink() {
    return sink;
  }

  /** Where hooks go. */
  URI hooks() {
    return highwater().hooksOf(SOURCE);
  }

  /**
   * Waits for the deliveries and checks them. No process ended between a delivery and its record,
   * so there is no reason for a second one.
   */
  void checkWhatArrived(Duration atMost) {
    highwater().awaitEverythingDelivered(atMost);
    sender.check(sink);
    assertThat(sink.deliveries()).extracting(Delivery::key).doesNotHaveDuplicates();
  }

  @Override
  public void close() {
    sender.close();
    sink.close();
    started.forEach(RunningHighwater::close);
  }
}
