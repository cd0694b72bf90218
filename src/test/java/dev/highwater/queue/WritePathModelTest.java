package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.codec.DedupeValue;
import dev.highwater.codec.Keys;
import dev.highwater.codec.PenCodec;
import dev.highwater.hook.Answer;
import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.PenEntry;
import dev.highwater.pen.PenRig;
import dev.highwater.pen.PurgeOutcome;
import dev.highwater.pen.ReleaseOutcome;
import dev.highwater.queue.Command.Change;
import dev.highwater.store.Batch;
import dev.highwater.store.DurableMarkFile;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine.Cursor;
import dev.highwater.store.StorageEngine.Direction;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random schedules of callers, a failing disk, clocks that step and processes that are killed,
 * against what must hold whatever the order:
 *
 * <ul>
 *   <li>an answer of success is on the platter when it is seen, and after every restart (G1);
 *   <li>what was refused is never found again, and neither is any row of it (G5);
 *   <li>every caller gets an answer, and gives its room back;
 *   <li>what failed verification is in the pen, or a hook once it was released, or gone once it was
 *       purged: never two of these and never none, and the pen's room counts just what is there
 *       (G4, G11);
 *   <li>a key is stored once in its window, and a duplicate names a hook that is there;
 *   <li>the mark never goes back, and never moves inside a fence (G6); a seq never changes its hook
 *       (G3); a hook above the mark is not visible (G2).
 * </ul>
 *
 * <p>The seed gives the schedule of what is asked for, not of the threads: a failing one may need
 * several runs. Run one with {@code -Dhighwater.model.seed=…}, and longer with {@code
 * -Dhighwater.model.seconds=…}.
 */
class WritePathModelTest {
  private static final long SECONDS = Long.getLong("highwater.model.seconds", 8);
  private static final int STEPS = 120;
  private static final Duration WINDOW = Duration.ofDays(3);
  private static final byte[] SETTING = "z:setting".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  @Test
  void nothingPromisedIsLostAndNothingRefusedSurvives() throws Exception {
    Long given = Long.getLong("highwater.model.seed");
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    long seed = given == null ? new Random().nextLong() : given;
    do {
      var life = new Life(Files.createTempDirectory(directory, "life"), seed);
      try {
        life.live();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + seed + ", after " + life.trace, e);
      } finally {
        life.end();
      }
      seed = given == null ? seed + 1 : given;
    } while (System.nanoTime() < end);
  }

  private enum Fate {
    OPEN,
    STORED,
    DUPLICATE,
    REFUSED,
    /** Its process was killed before it was seen to answer. */
    UNKNOWN
  }

  private enum Held {
    OPEN,
    PENNED,
    RELEASED,
    /** It repeated a stored hook when it was released. */
    REPEATED,
    PURGED,
    REFUSED,
    /** Its process was killed before it was seen to answer. */
    PENNED_OR_NOT,
    PENNED_OR_RELEASED,
    PENNED_OR_PURGED
  }

  /** A request that failed verification, and what is being done with it. */
  private static final class Forged {
    final String body;
    final CompletableFuture<Answer> future;
    Held fate = Held.OPEN;
    @Nullable HookId id;
    @Nullable CompletableFuture<ReleaseOutcome> release;
    @Nullable CompletableFuture<PurgeOutcome> purge;

    Forged(String body, CompletableFuture<Answer> future) {
      this.body = body;
      this.future = future;
    }

    boolean isOpen() {
      return fate == Held.OPEN || release != null || purge != null;
    }
  }

  private static final class Call {
    final String body;
    final @Nullable String key;
    final CompletableFuture<Answer> future;
    Fate fate = Fate.OPEN;
    @Nullable HookId id;

    Call(String body, @Nullable String key, CompletableFuture<Answer> future) {
      this.body = body;
      this.key = key;
      this.future = future;
    }
  }

  private static final class Life {
    final Random random;
    final List<String> trace = new ArrayList<>();
    final Map<String, Call> calls = new LinkedHashMap<>();
    final Map<String, Long> seqs = new HashMap<>();
    final Map<Long, String> bodiesOfSeqs = new HashMap<>();

    /** What the setting may be: what was last done, and what nobody knows of since. */
    final Set<String> settings = new HashSet<>(Set.of(""));

    final Map<String, CompletableFuture<CommandAnswer>> commands = new LinkedHashMap<>();
    final Map<String, Forged> forged = new LinkedHashMap<>();
    WritePathRig rig;
    PenRig pen;
    Marks last;
    int bodies;

    Life(Path directory, long seed) throws StoreException {
      random = new Random(seed);
      rig = WritePathRig.fresh(directory);
      pen = new PenRig(rig);
      last = rig.marks.read();
    }

    void end() {
      rig.close();
    }

    void live() throws Exception {
      for (int step = 0; step < STEPS; step++) {
        step();
        look();
        if (random.nextInt(4) == 0) {
          LockSupport.parkNanos(random.nextInt(2_000_000));
        }
      }
      settle();
    }

    private void step() throws Exception {
      switch (random.nextInt(46)) {
        case 0 -> trace("hold", rig.disk::holdSyncs);
        case 1, 2 -> trace("release", rig.disk::releaseSyncs);
        case 3, 4 -> trace("release one", rig.disk::releaseOneSync);
        case 5, 6 -> trace("fail sync", () -> rig.disk.failNextSync("Input/output error"));
        case 7 -> trace("fail write", () -> rig.disk.failNextWrite(false));
        case 8 -> trace("fail applied write", () -> rig.disk.failNextWrite(true));
        case 9 -> trace("fail open", () -> rig.disk.failNextOpen("Input/output error"));
        case 10 -> trace("fail read", () -> rig.disk.failNextRead("Input/output error"));
        case 11 -> trace("fail syncs", rig.disk::failSyncsUntilHealed);
        case 12 -> trace("fail writes", rig.disk::failWritesUntilHealed);
        case 13 -> trace("fail opens", rig.disk::failOpensUntilHealed);
        case 14, 15, 16 -> trace("heal", rig.disk::heal);
        case 17 -> trace("days pass", () -> rig.clock.stepWall(Duration.ofDays(4)));
        case 18 -> trace("wall back", () -> rig.clock.stepWall(Duration.ofHours(-1)));
        case 19 -> trace("sweep", () -> rig.clock.passMonotonic(Duration.ofSeconds(11)));
        case 20 -> trace("repeatable", this::repeatable);
        case 21 -> trace("command", this::command);
        case 22 -> trace("mark", rig.keeper::refresh);
        case 23 -> trace("behind the back", rig.disk::healBehindTheBack);
        case 24 -> kill();
        case 25 -> {
          settle();
          restart();
        }
        case 26, 27 -> settle();
        case 28 -> fillThePipelineAndFailIt();
        case 29, 30, 31 -> trace("forged", this::forged);
        case 32, 33 -> leave(true);
        case 34 -> leave(false);
        default -> trace("hook", this::hook);
      }
    }

    private void trace(String what, Runnable step) {
      trace.add(what);
      step.run();
    }

    private void hook() {
      String body = "body " + ++bodies;
      String key = random.nextInt(4) == 0 ? null : "key " + random.nextInt(4);
      calls.put(body, new Call(body, key, rig.submit(body, key)));
    }

    private void forged() {
      String body = "body " + ++bodies;
      Headers headers =
          random.nextBoolean() ? Headers.none() : Headers.of("X-Key", "key " + random.nextInt(4));
      forged.put(body, new Forged(body, rig.quarantine(WritePathRig.SOURCE, body, headers)));
    }

    /** Lets something out of the pen, or throws it away. */
    private void leave(boolean release) throws StoreException {
      List<Forged> there =
          forged.values().stream().filter(f -> f.fate == Held.PENNED && !f.isOpen()).toList();
      if (there.isEmpty()) {
        return;
      }
      Forged one = there.get(random.nextInt(there.size()));
      HookId id = Objects.requireNonNull(one.id);
      trace.add((release ? "release " : "purge ") + one.body);
      try {
        if (release) {
          one.release = pen.release(id);
        } else {
          one.purge = pen.purge(id);
        }
      } catch (StoreException e) {
        trace.add("not " + e.getMessage());
      }
    }

    private void hearOf(Forged one) {
      if (one.fate == Held.OPEN && one.future.isDone()) {
        if (one.future.join() instanceof Answer.Quarantined quarantined) {
          one.fate = Held.PENNED;
          one.id = quarantined.id();
          assertThat(rig.platter.durableRows(Family.QUARANTINE))
              .as("%s was answered and is on disk", one.body)
              .containsKey(Keys.pen(quarantined.id()));
        } else {
          assertThat(one.future.join()).isInstanceOf(Answer.Refused.class);
          one.fate = Held.REFUSED;
        }
      }
      var release = one.release;
      if (release != null && release.isDone()) {
        one.release = null;
        switch (release.join()) {
          case ReleaseOutcome.Released released -> one.fate = Held.RELEASED;
          case ReleaseOutcome.Duplicate duplicate -> one.fate = Held.REPEATED;
          case ReleaseOutcome.Refused refused -> {}
          case ReleaseOutcome other -> throw new AssertionError(one.body + ": " + other);
        }
      }
      var purge = one.purge;
      if (purge != null && purge.isDone()) {
        one.purge = null;
        if (purge.join() instanceof PurgeOutcome.Purged purged) {
          assertThat(purged.rows()).isEqualTo(1);
          one.fate = Held.PURGED;
        }
      }
    }

    private void checkPen(Set<String> hooks) throws StoreException {
      Map<String, PenEntry> there = new LinkedHashMap<>();
      NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
      long bytes = 0;
      for (var row : all(Family.QUARANTINE).entrySet()) {
        PenEntry entry = PenCodec.decode(new HookId(0, 0), row.getValue());
        assertThat(row.getKey()).isEqualTo(Keys.pen(entry.id()));
        String body = new String(entry.held().content().body(), StandardCharsets.UTF_8);
        assertThat(there.put(body, entry)).isNull();
        rows.put(Keys.penRow(Keys.PenRow.of(entry)), new byte[0]);
        bytes += entry.bytes();
      }
      NavigableMap<byte[], byte[]> index = all(Family.INDEX);
      index.keySet().removeIf(key -> key[0] != Keys.PEN);
      assertThat(index.keySet()).as("a row beside each entry").isEqualTo(rows.keySet());
      assertThat(rig.room.content()).isEqualTo(new PenRoom.Content(rows.size(), bytes));
      for (Forged one : forged.values()) {
        boolean penned = there.containsKey(one.body);
        boolean hook = hooks.contains(one.body);
        boolean right =
            switch (one.fate) {
              case PENNED -> penned && !hook;
              case RELEASED -> hook && !penned;
              case REFUSED, PURGED, REPEATED -> !penned && !hook;
              case PENNED_OR_NOT, PENNED_OR_PURGED -> !hook;
              // What repeated a hook would be neither; then a hook has its key.
              case PENNED_OR_RELEASED -> !(penned && hook);
              case OPEN -> true;
            };
        assertThat(right)
            .as("%s %s: in the pen %s, a hook %s", one.fate, one.body, penned, hook)
            .isTrue();
      }
    }

    /** What chance alone seldom brings about: groups that build on one another, all refused. */
    private void fillThePipelineAndFailIt() throws StoreException {
      trace("hold", rig.disk::holdSyncs);
      for (int i = random.nextInt(3, 10); i > 0; i--) {
        switch (random.nextInt(8)) {
          case 0 -> trace("command", this::command);
          case 3 -> trace("forged", this::forged);
          case 4 -> leave(random.nextInt(3) > 0);
          case 1 -> trace("days pass", () -> rig.clock.stepWall(Duration.ofDays(4)));
          case 2 -> trace("sweep", () -> rig.clock.passMonotonic(Duration.ofSeconds(11)));
          default -> trace("hook", this::hook);
        }
        // So that each is a group of its own, mostly.
        LockSupport.parkNanos(200_000);
      }
      trace("fail sync", () -> rig.disk.failNextSync("Input/output error"));
      trace("release", rig.disk::releaseSyncs);
    }

    private void repeatable() {
      var batch = new Batch();
      batch.put(Family.DEFAULT, new byte[] {'z', 'z'}, new byte[] {1});
      WritePathRig into = rig;
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  into.repeatable.write(batch);
                } catch (StoreException e) {
                  // The owner would keep the batch; here it says nothing.
                  assertThat(e).hasMessageNotContaining("nothing");
                }
              });
    }

    private void command() {
      String value = "value " + ++bodies;
      commands.put(
          value,
          rig.writer.submit(
              new Command() {
                @Override
                public long bytes() {
                  return value.length();
                }

                @Override
                public List<Change> decide(StoreLease view, long at) {
                  return List.of(
                      new Change(Family.DEFAULT, SETTING, value.getBytes(StandardCharsets.UTF_8)));
                }
              }));
    }

    /** Looks at what is known by now. */
    private void look() throws StoreException {
      marks();
      hear();
      if (random.nextInt(8) == 0) {
        visible();
      }
      assertThat(rig.deaths).isEmpty();
    }

    private void marks() {
      Marks now = rig.marks.read();
      assertThat(now.durableSeq()).isBetween(last.durableSeq(), now.appliedSeq());
      assertThat(now.durableAt()).isGreaterThanOrEqualTo(last.durableAt());
      assertThat(now.appliedSeq()).isGreaterThanOrEqualTo(last.appliedSeq());
      assertThat(now.epoch()).isGreaterThanOrEqualTo(last.epoch());
      if (now.fenced() && last.fenced() && now.epoch() == last.epoch()) {
        assertThat(now.durableSeq()).isEqualTo(last.durableSeq());
      }
      last = now;
    }

    private void hear() {
      for (Call call : calls.values()) {
        if (call.fate == Fate.OPEN && call.future.isDone()) {
          switch (call.future.join()) {
            case Answer.Stored stored -> {
              call.fate = Fate.STORED;
              call.id = stored.id();
            }
            case Answer.Duplicate duplicate -> {
              call.fate = Fate.DUPLICATE;
              call.id = duplicate.id();
            }
            case Answer.Refused refused -> call.fate = Fate.REFUSED;
            case Answer.Quarantined quarantined ->
                throw new AssertionError(call.body + " was verified");
          }
          if (call.id != null) {
            assertThat(rig.platter.durableRows(Family.INDEX))
                .as("%s was answered and is on disk", call.body)
                .containsKey(Keys.byId(call.id));
          }
        }
      }
      forged.values().forEach(this::hearOf);
      for (var command : List.copyOf(commands.entrySet())) {
        if (command.getValue().isDone()) {
          commands.remove(command.getKey());
          if (command.getValue().join() instanceof CommandAnswer.Done) {
            settings.clear();
            settings.add(command.getKey());
          }
        }
      }
    }

    /** So that a later release is tried with what a kill has left. */
    private void killed() {
      for (Forged one : forged.values()) {
        if (one.fate == Held.OPEN) {
          one.fate = Held.PENNED_OR_NOT;
        } else if (one.release != null) {
          one.fate = Held.PENNED_OR_RELEASED;
        } else if (one.purge != null) {
          one.fate = Held.PENNED_OR_PURGED;
        }
        one.release = null;
        one.purge = null;
      }
    }

    /** No due row above the mark can be due: the rows are read before the marks. */
    private void visible() {
      List<Hook> found;
      try {
        found = rig.hooks();
      } catch (StoreException e) {
        trace.add("not visible: " + e.getMessage());
        return;
      }
      Marks now = rig.marks.read();
      for (Hook hook : found) {
        if (hook.seq() > now.durableSeq()) {
          assertThat(hook.at())
              .as("hook %d above %s", hook.seq(), now)
              .isGreaterThan(now.visible(Long.MAX_VALUE));
        }
      }
    }

    private void kill() throws StoreException {
      int keep = random.nextInt(6);
      trace.add("kill, keep " + keep);
      hear();
      calls.values().stream()
          .filter(call -> call.fate == Fate.OPEN)
          .forEach(call -> call.fate = Fate.UNKNOWN);
      settings.addAll(commands.keySet());
      commands.clear();
      killed();
      rig.kill(keep);
      next();
    }

    private void restart() throws StoreException {
      trace.add("restart");
      rig.close();
      next();
    }

    private void next() throws StoreException {
      rig = rig.restart();
      pen = pen.over(rig);
      last = rig.marks.read();
      assertThat(last.durableSeq())
          .as("nothing below durable.mark is missing")
          .isGreaterThanOrEqualTo(
              new DurableMarkFile(rig.directory.resolve("durable.mark")).read());
      check();
    }

    /**
     * The disk works again, everybody is answered, and all that is in the store is accounted for.
     */
    private void settle() throws StoreException {
      trace.add("settle");
      rig.disk.heal();
      rig.disk.releaseSyncs();
      await()
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> {
                hear();
                marks();
                return calls.values().stream().noneMatch(call -> call.fate == Fate.OPEN)
                    && commands.isEmpty()
                    && forged.values().stream().noneMatch(Forged::isOpen)
                    && !rig.marks.read().fenced()
                    && rig.store.isOpen();
              });
      assertThat(rig.budget.records()).isZero();
      assertThat(rig.budget.bytes()).isZero();
      check();
    }

    private void check() throws StoreException {
      Map<String, Hook> found = new LinkedHashMap<>();
      Map<String, Long> lastOfKey = new HashMap<>();
      for (Hook hook : rig.hooks()) {
        String body = new String(hook.content().body(), StandardCharsets.UTF_8);
        assertThat(found.put(body, hook)).as("%s is there once", body).isNull();
        DedupeKey dedupe = hook.content().dedupe();
        if (dedupe != null) {
          Long before =
              lastOfKey.put(new String(dedupe.bytes(), StandardCharsets.UTF_8), hook.at());
          assertThat(before == null || hook.at() - before >= WINDOW.toMillis())
              .as("%s is the only one of its key in its window", body)
              .isTrue();
        }
        assertThat(seqs.computeIfAbsent(body, b -> hook.seq())).isEqualTo(hook.seq());
        assertThat(bodiesOfSeqs.computeIfAbsent(hook.seq(), s -> body)).isEqualTo(body);
      }
      Map<HookId, Hook> byId = new HashMap<>();
      found.values().forEach(hook -> byId.put(hook.content().id(), hook));
      for (Call call : calls.values()) {
        switch (call.fate) {
          case STORED -> assertThat(found).as("stored").containsKey(call.body);
          case REFUSED, DUPLICATE -> assertThat(found).doesNotContainKey(call.body);
          case OPEN, UNKNOWN -> {}
        }
        if (call.fate == Fate.DUPLICATE) {
          Hook original = byId.get(call.id);
          DedupeKey key = original == null ? null : original.content().dedupe();
          assertThat(key == null ? null : new String(key.bytes(), StandardCharsets.UTF_8))
              .as("the key of the original of %s", call.body)
              .isEqualTo(call.key);
        }
      }
      rows(found.values().stream().toList());
      checkPen(found.keySet());
    }

    private void rows(List<Hook> hooks) throws StoreException {
      NavigableMap<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
      NavigableMap<byte[], byte[]> index = all(Family.INDEX);
      NavigableMap<byte[], byte[]> keys = new TreeMap<>(Arrays::compareUnsigned);
      Map<HookId, Hook> byId = new HashMap<>();
      for (Hook hook : hooks) {
        expected.put(
            Keys.due(WritePathRig.SINK, hook.at(), hook.seq()),
            Keys.number(hook.content().body().length));
        expected.put(Keys.byId(hook.content().id()), Keys.number(hook.seq()));
        byId.put(hook.content().id(), hook);
      }
      index.forEach(
          (key, value) -> {
            if (key[0] == Keys.DEDUPE) {
              keys.put(key, value);
            } else if (key[0] != Keys.DEDUPE_EXPIRY && key[0] != Keys.PEN) {
              assertThat(expected.remove(key)).as("a row that belongs to a hook").isEqualTo(value);
            }
          });
      assertThat(expected).as("rows that hooks need").isEmpty();
      assertThat(all(Family.DELIVERIES)).hasSameSizeAs(hooks);
      keys.forEach(
          (key, value) -> {
            DedupeValue dedupe = DedupeValue.decodeOrNull(value);
            if (dedupe == null) {
              throw new AssertionError("a dedupe row does not decode");
            }
            assertThat(byId).as("the original a key names").containsKey(dedupe.id());
            assertThat(index)
                .as("the row by which the key expires")
                .containsKey(Keys.dedupeExpiry(dedupe.expiresAt(), key));
          });
      byte[] setting = all(Family.DEFAULT).get(SETTING);
      assertThat(settings)
          .contains(setting == null ? "" : new String(setting, StandardCharsets.UTF_8));
    }

    private NavigableMap<byte[], byte[]> all(Family family) throws StoreException {
      NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
      try (StoreLease lease = rig.store.lease();
          Cursor cursor =
              lease.scan(family, new byte[0], new byte[] {-1, -1, -1}, Direction.FORWARD)) {
        while (cursor.next()) {
          rows.put(cursor.key(), cursor.value());
        }
      }
      return rows;
    }
  }
}
