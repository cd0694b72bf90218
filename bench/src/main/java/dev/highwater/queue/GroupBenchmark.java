package dev.highwater.queue;

import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;
import dev.highwater.hook.Verification;
import dev.highwater.queue.Ticket.HookTicket;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.StorageEngine;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the writer does to a group before RocksDB gets it: all rows of all its hooks, as one batch.
 * No look-up finds anything. In this package because a group is nobody else's business.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class GroupBenchmark {
  @Param({"1", "32", "256"})
  public int hooks;

  @Param({"1024"})
  public int body;

  private final List<HookTicket> tickets = new ArrayList<>();

  @Setup
  public void make() {
    var random = new Random(1);
    var source = SourceRef.of("bench");
    for (int i = 0; i < hooks; i++) {
      byte[] bytes = new byte[body];
      random.nextBytes(bytes);
      var content =
          new Hook.Content(
              HookId.of(1_700_000_000_000L + i, random.nextLong(), random.nextLong()),
              source,
              "POST",
              "/webhooks/bench",
              Headers.of(
                  "host", "127.0.0.1:8080",
                  "user-agent", "GitHub-Hookshot/benchmark",
                  "accept", "*/*",
                  "content-type", "application/json",
                  "x-github-event", "push",
                  "x-hub-signature-256", "sha256=" + "0".repeat(64),
                  "content-length", Integer.toString(body),
                  "x-github-delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958"),
              bytes,
              1_700_000_000_000L,
              Verification.VERIFIED,
              "127.0.0.1",
              new DedupeKey(ByteBuffer.allocate(36).putInt(i).array(), Duration.ofDays(3)));
      tickets.add(
          new HookTicket(
              content, new int[] {1}, new NoRoomNeeded(), 0, 0, new CompletableFuture<>()));
    }
  }

  @Benchmark
  public Batch encode() throws StoreException {
    var group = new Group(new EmptyStore(), 1_700_000_000_000L, 1);
    group.add(tickets);
    group.seal(0, List.of());
    return group.batch();
  }

  private record NoRoomNeeded() implements IntakeRoom.Permit {
    @Override
    public boolean grow(int bytes) {
      return true;
    }

    @Override
    public void close() {}
  }

  private record EmptyStore() implements StoreLease {
    @Override
    public byte[] get(Family family, byte[] key) {
      return null;
    }

    @Override
    public List<byte[]> multiGet(Family family, List<byte[]> keys) {
      return Collections.nCopies(keys.size(), null);
    }

    @Override
    public void write(Batch batch) {}

    @Override
    public void writeSynced(Batch batch) {}

    @Override
    public void syncWal() {}

    @Override
    public StorageEngine.Cursor scan(
        Family family, byte[] lower, byte[] upper, StorageEngine.Direction direction) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
