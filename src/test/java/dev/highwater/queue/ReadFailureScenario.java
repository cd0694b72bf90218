package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Answer;
import dev.highwater.store.DiskFault;
import dev.highwater.store.StoreException;
import dev.highwater.store.TestSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The child of {@link ReadFailureTest}: a store with hooks in tables, in a blob file and in the log
 * is opened while its n-th read fails. It must not open; or, where what could not be read was not
 * needed, it must open with all that is in it.
 */
final class ReadFailureScenario {
  private static final int RUNS_WITHOUT = 2;

  private final DiskFault fault = DiskFault.ofThisProcess();
  private final Path directory;
  private final Set<NumberedHook> acked = new LinkedHashSet<>();
  private final Set<NumberedHook> refusals = new LinkedHashSet<>();
  private long lastSeq;
  private int refused;
  private int opened;

  private ReadFailureScenario(Path directory) {
    this.directory = directory;
  }

  /**
   * Takes the data directory, the call, "once" or "for-good", the first n, the step to the next.
   */
  public static void main(String[] arguments) throws Exception {
    var scenario = new ReadFailureScenario(Files.createDirectory(Path.of(arguments[0])));
    scenario.sweep(
        arguments[1],
        arguments[2].equals("for-good") ? -1 : 1,
        Integer.parseInt(arguments[3]),
        Integer.parseInt(arguments[4]));
    System.exit(0);
  }

  private void sweep(String call, int times, int first, int step) throws Exception {
    // The hooks of one opening are in the log of the next, and then in tables.
    openAndTake(20);
    openAndTake(20);
    int n = first;
    for (int without = 0; without < RUNS_WITHOUT; n += step) {
      long before = fault.strikes();
      fault.failAfter(n - 1, call, "/" + directory.getFileName() + "/", DiskFault.EIO, times);
      try {
        openAndTake(1);
        opened++;
      } catch (StoreException e) {
        refused++;
        assertThat(e).hasMessageContaining(directory.toString());
      } catch (Throwable e) {
        throw new AssertionError(call + " number " + n, e);
      }
      boolean met = fault.strikes() > before;
      fault.heal();
      openAndTake(1);
      without = met ? 0 : without + 1;
    }
    if (step == 1) {
      assertThat(refused).as("starts that were refused").isPositive();
    }
    System.out.printf(
        "%s, %s: n up to %d: %d refused to start, %d opened with everything%n",
        call, times < 0 ? "for good" : "once", n - step, refused, opened);
  }

  private void openAndTake(int hooks) throws Exception {
    try (var path = WritePathOnDisk.open(TestSettings.in(directory).build())) {
      fault.heal();
      look(path);
      for (int i = 0; i < hooks; i++) {
        take(path);
      }
      long seq = look(path);
      assertThat(seq).as("no seq twice").isGreaterThanOrEqualTo(lastSeq + hooks);
      lastSeq = seq;
    }
  }

  /** A compaction may have met the failure: a fence, and then everything is there. */
  private long look(WritePathOnDisk path) throws StoreException {
    var hooks = path.mustHoldWhenSettled(acked, refusals);
    assertThat(hooks).hasSize(acked.size());
    assertThat(path.status().marks().appliedSeq()).isGreaterThanOrEqualTo(lastSeq);
    return hooks.isEmpty() ? 0 : hooks.getLast().seq();
  }

  private void take(WritePathOnDisk path) throws Exception {
    var hook = NumberedHook.of(acked.size());
    while (!(path.submit(hook).get() instanceof Answer.Stored)) {
      refusals.add(hook);
      hook = hook.again();
      path.awaitAccepting();
    }
    acked.add(hook);
  }
}
