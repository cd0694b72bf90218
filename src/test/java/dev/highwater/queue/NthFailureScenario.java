package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Answer;
import dev.highwater.hook.ErrorCode;
import dev.highwater.store.DiskFault;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreSettings;
import dev.highwater.store.TestSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.util.FileSystemUtils;

/**
 * The child of {@link NthFailureTest}. Each run has a fresh store: it is opened, hooks come in
 * waves, some so long that tables are written, and one call fails on the way. Then the disk is well
 * again, the provider sends again what was refused, and the store is closed and looked at by a new
 * opening.
 */
final class NthFailureScenario {
  private static final int WAVES = 8;
  private static final int IN_A_WAVE = 3;
  private static final int LONG_BODY = 400_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A call of the background may come earlier or later, so one run that meets none is no proof. */
  private static final int RUNS_WITHOUT = 2;

  private final DiskFault fault = DiskFault.ofThisProcess();
  private final Path home;
  private final String call;
  private final int errno;
  private final boolean forGood;
  private int run;

  private final Set<NumberedHook> acked = new LinkedHashSet<>();
  private final Set<NumberedHook> refused = new LinkedHashSet<>();
  private int met;
  private int fenced;
  private int notStarted;

  private NthFailureScenario(Path home, String call, int errno, boolean forGood) {
    this.home = home;
    this.call = call;
    this.errno = errno;
    this.forGood = forGood;
  }

  /**
   * Takes the home, the call, the errno, "once" or "for-good", the first n, the step to the next.
   */
  public static void main(String[] arguments) throws Exception {
    var scenario =
        new NthFailureScenario(
            Path.of(arguments[0]),
            arguments[1],
            Integer.parseInt(arguments[2]),
            arguments[3].equals("for-good"));
    scenario.sweep(Integer.parseInt(arguments[4]), Integer.parseInt(arguments[5]));
    System.exit(0);
  }

  private void sweep(int first, int step) throws Exception {
    int without = 0;
    int n = first;
    for (; without < RUNS_WITHOUT; n += step) {
      long before = fault.strikes();
      try {
        failNth(n);
      } catch (Throwable e) {
        throw new AssertionError(
            call + " number " + n + ", errno " + errno + (forGood ? ", for good" : ", once"), e);
      }
      if (fault.strikes() > before) {
        met++;
        without = 0;
      } else {
        without++;
      }
    }
    System.out.printf(
        "%s, errno %d, %s: %d runs met it, n up to %d; %d were fenced, %d could not start%n",
        call, errno, forGood ? "for good" : "once", met, n - step, fenced, notStarted);
  }

  private void failNth(int n) throws Exception {
    acked.clear();
    refused.clear();
    Path directory = Files.createDirectory(home.resolve("run-" + ++run));
    var settings = TestSettings.in(directory).reopenMinInterval(Duration.ofMillis(1)).build();
    fault.failAfter(n - 1, call, "/" + directory.getFileName() + "/", errno, forGood ? -1 : 1);
    try (var path = start(settings)) {
      wavesComeIn(path);
      fault.heal();
      path.awaitAccepting();
      for (NumberedHook hook : List.copyOf(refused)) {
        sendUntilStored(path, hook);
      }
      var original = acked.iterator().next();
      var again = get(path.submit(original.again()));
      while (again instanceof Answer.Refused) {
        path.awaitAccepting();
        again = get(path.submit(original.again()));
      }
      assertThat(again).as("what is sent once more").isEqualTo(new Answer.Duplicate(original.id()));
      assertThat(path.mustHoldWhenSettled(acked, refused))
          .as("nothing without an answer")
          .hasSize(acked.size());
      assertThat(path.status().records()).as("the room of what was answered").isZero();
      assertThat(path.status().bytes()).isZero();
      fenced += path.status().fences() > 0 ? 1 : 0;
    }
    long lastSeq;
    try (var reopened = WritePathOnDisk.open(settings)) {
      var hooks = reopened.mustHold(acked, refused);
      assertThat(hooks).hasSize(acked.size());
      lastSeq = hooks.getLast().seq();
      sendUntilStored(reopened, NumberedHook.of(1_000));
      assertThat(reopened.hooks().getLast().seq()).isGreaterThan(lastSeq);
    }
    FileSystemUtils.deleteRecursively(directory);
  }

  /** A start may fail, and the next one must not, once the disk is well. */
  private WritePathOnDisk start(StoreSettings settings) throws StoreException, IOException {
    try {
      return WritePathOnDisk.open(settings);
    } catch (StoreException e) {
      notStarted++;
      if (forGood) {
        fault.heal();
      }
      return WritePathOnDisk.open(settings);
    }
  }

  private void wavesComeIn(WritePathOnDisk path) {
    boolean failed = false;
    for (int wave = 0; wave < WAVES; wave++) {
      Map<NumberedHook, CompletableFuture<Answer>> sent = new LinkedHashMap<>();
      var answers = new AtomicInteger();
      for (int i = 0; i < IN_A_WAVE; i++) {
        long number = (long) wave * IN_A_WAVE + i;
        var hook = wave == 2 ? new NumberedHook(number, 1, LONG_BODY) : NumberedHook.of(number);
        var answer = path.submit(hook);
        sent.put(hook, answer.whenComplete((any, none) -> answers.incrementAndGet()));
      }
      for (var one : sent.entrySet()) {
        failed |= !note(one.getKey(), get(one.getValue()));
      }
      assertThat(answers).as("every caller has one answer").hasValue(IN_A_WAVE);
      if (failed && !forGood) {
        path.awaitAccepting();
        failed = false;
      }
    }
  }

  /** Keeps book; true for what was stored. */
  private boolean note(NumberedHook hook, Answer answer) {
    return switch (answer) {
      case Answer.Stored stored -> {
        assertThat(stored.id()).isEqualTo(hook.id());
        acked.add(hook);
        yield true;
      }
      case Answer.Refused no -> {
        assertThat(no.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        refused.add(hook);
        yield false;
      }
      case Answer.Duplicate duplicate ->
          throw new AssertionError(hook + " is new and was answered " + duplicate);
      case Answer.Quarantined quarantined ->
          throw new AssertionError(hook + " was verified and was answered " + quarantined);
    };
  }

  private void sendUntilStored(WritePathOnDisk path, NumberedHook hook) {
    var attempt = hook.again();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!note(attempt, get(path.submit(attempt)))) {
      assertThat(System.nanoTime()).as("stored in time").isLessThan(end);
      path.awaitAccepting();
      attempt = attempt.again();
    }
  }

  private static Answer get(CompletableFuture<Answer> answer) {
    try {
      return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("no answer", e);
    }
  }
}
