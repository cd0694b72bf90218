package dev.highwater.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Hook;
import dev.highwater.store.DiskFault;
import dev.highwater.store.TestSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A data directory that one {@link HookFeeder} after the other fills, and the book of what they
 * answered. Each is killed; then {@link #check} opens what it left.
 */
final class FedStore implements AutoCloseable {
  private final Path directory;
  private final Path errors;
  private final Map<String, String> environment;
  private final Set<NumberedHook> acked = ConcurrentHashMap.newKeySet();
  private final Set<NumberedHook> refused = ConcurrentHashMap.newKeySet();

  /** Guarded by {@link #acked}, like the books. */
  private boolean dark;

  private long highest;
  private long lastSeq;
  private @Nullable Feeder feeder;

  /** A process, and who reads what it says. */
  private record Feeder(Process process, Thread reader) {}

  FedStore(Path directory, Path errors, Map<String, String> environment) {
    this.directory = directory;
    this.errors = errors;
    this.environment = environment;
  }

  /** Starts the next process and waits until it has stored something. */
  void feed() throws Exception {
    var builder =
        new ProcessBuilder(
                DiskFault.command(
                    HookFeeder.class, directory.toString(), Long.toString(highest + 1)))
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    builder.environment().putAll(environment);
    dark = false;
    var process = builder.start();
    int before = acked.size();
    var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    var reader = Thread.ofVirtual().start(() -> keepBook(lines));
    feeder = new Feeder(process, reader);
    long end = System.nanoTime() + 60_000_000_000L;
    while (acked.size() < before + 10) {
      assertThat(process.isAlive() && System.nanoTime() < end)
          .as("it takes hooks: %s", Files.readString(errors))
          .isTrue();
      reader.join(Duration.ofMillis(2));
    }
  }

  private void keepBook(BufferedReader lines) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.matches("(stored|refused) \\d+\\.")) {
          int space = line.indexOf(' ');
          long number = Long.parseLong(line.substring(space + 1, line.length() - 1));
          note(line.startsWith("stored") ? acked : refused, NumberedHook.of(number));
        }
      }
    } catch (IOException e) {
      // The process is gone, and with it the pipe.
    }
  }

  private void note(Set<NumberedHook> answered, NumberedHook hook) {
    synchronized (acked) {
      highest = Math.max(highest, hook.number());
      if (!dark) {
        answered.add(hook);
      }
    }
  }

  int refused() {
    return refused.size();
  }

  int acked() {
    return acked.size();
  }

  /**
   * From now on the running process answers nobody: nothing it says any more is noted. It may be
   * one or two acks, of an fsync that was running when the power went: the kernel lets it end well.
   */
  void darken() {
    synchronized (acked) {
      dark = true;
    }
  }

  /** SIGKILL; all it has said is in the book when this returns. */
  void kill() throws InterruptedException {
    var killed = feeder;
    if (killed == null || !killed.process.isAlive()) {
      throw new AssertionError("it has ended by itself");
    }
    killed.process.destroyForcibly().waitFor();
    killed.reader.join();
  }

  /**
   * Opens what is left, and compares it with the book.
   *
   * @param whole no fence was met, so every seq that was given must be there up to the last
   */
  void check(boolean whole) throws Exception {
    try (var path = WritePathOnDisk.open(TestSettings.in(directory).build())) {
      List<Hook> hooks = path.mustHold(acked, refused);
      List<Long> seqs = hooks.stream().map(Hook::seq).filter(seq -> seq > lastSeq).toList();
      assertThat(seqs).as("seqs go on").isNotEmpty();
      if (whole) {
        assertThat(seqs.getLast() - seqs.getFirst() + 1)
            .as("what is left is a beginning of what was taken, without a hole")
            .isEqualTo(seqs.size());
      }
      lastSeq = path.status().marks().appliedSeq();
      hooks.forEach(hook -> highest = Math.max(highest, NumberedHook.of(hook).number()));
    }
  }

  @Override
  public void close() {
    if (feeder != null) {
      feeder.process.destroyForcibly();
    }
  }
}
