package dev.highwater.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.codec.DeliveryCodec;
import dev.highwater.codec.HookCodec;
import dev.highwater.codec.Keys;
import dev.highwater.handshake.SourceHandshake;
import dev.highwater.hook.Delivery;
import dev.highwater.hook.Headers;
import dev.highwater.hook.Hook;
import dev.highwater.hook.HookId;
import dev.highwater.hook.SourceRef;
import dev.highwater.hook.Verification;
import dev.highwater.queue.DueRows;
import dev.highwater.queue.Marks;
import dev.highwater.queue.RepeatableWrites;
import dev.highwater.queue.SinkIds;
import dev.highwater.signature.Verifier;
import dev.highwater.sink.Outcome;
import dev.highwater.sink.Sink;
import dev.highwater.sink.SinkFactory;
import dev.highwater.source.DedupeRule;
import dev.highwater.source.RateLimits;
import dev.highwater.source.SinkDefinition;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import dev.highwater.source.SuccessAnswer;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreLease;
import dev.highwater.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * A dispatcher with everything around it in the test's hands: the store, the marks, the stamp clock
 * and the sinks. The test is the writer and the syncer.
 */
final class Bench implements AutoCloseable {
  static final long START = 1_000_000;
  static final long WALL = 1_700_000_000_000L;

  final CountingStore store;
  final AtomicLong stamp = new AtomicLong(START);
  final List<Outcome> observed = new ArrayList<>();
  final AtomicLong wall = new AtomicLong(WALL);
  final AtomicInteger fatal = new AtomicInteger();

  private final Map<SourceRef, List<SinkDefinition>> sources = new LinkedHashMap<>();
  private final Map<String, FakeSink> sinks = new TreeMap<>();
  private final Map<String, Integer> ids = new TreeMap<>();
  private final List<Dispatcher> abandoned = new ArrayList<>();
  private volatile Marks marks = new Marks(0, 0, START, START, 1, false);
  private DispatchProperties bounds = DispatchProperties.usual();
  private @Nullable Dispatcher dispatcher;
  private Door currentDoor = new Door();
  private volatile boolean marksFail;
  private long nextSeq = 1;

  Bench() throws StoreException {
    store = new CountingStore();
  }

  static ConditionFactory soon() {
    return Awaitility.await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofSeconds(20));
  }

  void bounds(DispatchProperties properties) {
    bounds = properties;
  }

  /** Those, and the usual bounds of what waits. */
  static DispatchProperties bounds(int slots, int perSink, int maxRows, DataSize maxBytes) {
    var usual = DispatchProperties.usual();
    return new DispatchProperties(
        slots, perSink, maxRows, maxBytes, usual.maxBacklog(), usual.maxBacklogBytes());
  }

  /** Configures a sink of the source {@code name} of a tenant. */
  FakeSink sink(String tenant, String source, String name, String... settings) {
    Map<String, String> map = new TreeMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      map.put(settings[i], settings[i + 1]);
    }
    var ref = new SourceRef(tenant, source);
    sources.computeIfAbsent(ref, r -> new ArrayList<>()).add(new SinkDefinition(name, "fake", map));
    var sink = new FakeSink();
    sinks.put(ref + "/" + name, sink);
    int id = ids.computeIfAbsent(ref + "/" + name, n -> ids.size() + 1);
    var batch = new Batch();
    batch.put(Family.DEFAULT, Keys.sink(ref, name), Keys.number(id));
    write(batch);
    return sink;
  }

  /** Takes a source out of the configuration; the store still knows its sinks. */
  void removeSource(String tenant, String source) {
    sources.remove(new SourceRef(tenant, source));
  }

  int id(String tenant, String source, String sink) {
    Integer id = ids.get(tenant + "/" + source + "/" + sink);
    if (id == null) {
      throw new IllegalArgumentException("no such sink");
    }
    return id;
  }

  Dispatcher start() throws StoreException {
    currentDoor = new Door();
    var created =
        new Dispatcher(
            bounds,
            currentDoor,
            new QueuePorts(this::marks, stamp::get, currentDoor, new Ids()),
            new Directory(),
            List.of(new Factory()),
            () -> Instant.ofEpochMilli(wall.get()),
            RandomGenerator.getDefault(),
            (source, sink, outcome, nanos) -> {
              synchronized (observed) {
                observed.add(outcome);
              }
            },
            fatal::incrementAndGet);
    dispatcher = created;
    created.start();
    return created;
  }

  Dispatcher dispatcher() {
    if (dispatcher == null) {
      throw new IllegalStateException("not started");
    }
    return dispatcher;
  }

  SinkStats stats(String tenant, String source, String sink) {
    return dispatcher().stats().sinks().stream()
        .filter(s -> s.source().equals(new SourceRef(tenant, source)) && s.sink().equals(sink))
        .findFirst()
        .orElseThrow();
  }

  /** The process is gone: it reads and writes nothing any more. */
  void crash() {
    currentDoor.isShutForGood = true;
    abandoned.add(dispatcher());
    dispatcher = null;
    sinks.values().forEach(FakeSink::newProcess);
  }

  /**
   * Writes a group of hooks to every sink of the source; applied, not durable. Gives their seqs.
   */
  List<Long> apply(String tenant, String source, int hooks, int bodyLength) {
    return apply(tenant, source, hooks, bodyLength, stamp.get());
  }

  private List<Long> apply(String tenant, String source, int hooks, int bodyLength, long at) {
    var ref = new SourceRef(tenant, source);
    int[] sinkIds = sinkIds(ref);
    var batch = new Batch();
    List<Long> seqs = new ArrayList<>();
    for (int i = 0; i < hooks; i++) {
      long seq = nextSeq++;
      seqs.add(seq);
      var hook = new Hook(seq, at, content(ref, seq, bodyLength), sinkIds);
      batch.put(Family.HOOKS, Keys.hook(seq), HookCodec.encode(hook));
      for (int sinkId : sinkIds) {
        batch.put(
            Family.DELIVERIES,
            Keys.delivery(seq, sinkId),
            DeliveryCodec.encode(Delivery.pending(seq, sinkId, at)));
        batch.put(Family.INDEX, Keys.due(sinkId, at, seq), Keys.number(bodyLength));
      }
    }
    marks =
        new Marks(
            nextSeq - 1,
            marks.durableSeq(),
            marks.durableAt(),
            marks.durableAt(),
            marks.epoch(),
            marks.fenced());
    write(batch);
    return seqs;
  }

  private int[] sinkIds(SourceRef ref) {
    var definitions = sources.get(ref);
    if (definitions == null) {
      throw new IllegalArgumentException("no source " + ref);
    }
    return definitions.stream()
        .mapToInt(sink -> id(ref.tenant(), ref.name(), sink.name()))
        .toArray();
  }

  private static Hook.Content content(SourceRef ref, long seq, int bodyLength) {
    return new Hook.Content(
        HookId.of(WALL, seq, seq),
        ref,
        "POST",
        "/",
        Headers.none(),
        new byte[bodyLength],
        WALL,
        Verification.VERIFIED,
        "",
        null);
  }

  /** The fsync that covers everything applied returns; the listener is told of those rows. */
  void sync(String tenant, String source, int hooks, int bodyLength) {
    long at = stamp.get();
    marks =
        new Marks(marks.appliedSeq(), marks.appliedSeq(), at, at, marks.epoch(), marks.fenced());
    if (dispatcher != null) {
      var due =
          Arrays.stream(sinkIds(new SourceRef(tenant, source)))
              .mapToObj(id -> new DueRows(id, hooks, (long) hooks * bodyLength))
              .toList();
      dispatcher.durable(due, at);
    }
  }

  /** The fsync returns that covers the groups up to that seq; nobody is told. */
  void mark(long durableSeq, long durableAt) {
    marks =
        new Marks(
            marks.appliedSeq(), durableSeq, durableAt, durableAt, marks.epoch(), marks.fenced());
  }

  Marks marks() {
    if (marksFail) {
      throw new IllegalStateException("a bug");
    }
    return marks;
  }

  /** The next look at the marks meets a bug. */
  void breakMarks() {
    marksFail = true;
    dispatcher().wake();
  }

  /** Hooks come in and are durable. */
  List<Long> take(String tenant, String source, int hooks) {
    return take(tenant, source, hooks, 10);
  }

  List<Long> take(String tenant, String source, int hooks, int bodyLength) {
    var seqs = apply(tenant, source, hooks, bodyLength);
    sync(tenant, source, hooks, bodyLength);
    return seqs;
  }

  void advance(Duration by) {
    stamp.addAndGet(by.toMillis());
    if (dispatcher != null) {
      dispatcher.wake();
    }
  }

  void fence() {
    marks =
        new Marks(
            marks.appliedSeq(),
            marks.durableSeq(),
            marks.durableAt(),
            marks.durableAt(),
            marks.epoch() + 1,
            true);
  }

  /** The rows above the durable mark are gone, as after a clean-up, and work goes on. */
  void resume(List<Long> cleaned, String tenant, String source) {
    var batch = new Batch();
    for (long seq : cleaned) {
      batch.delete(Family.HOOKS, Keys.hook(seq));
      for (int sinkId : sinkIds(new SourceRef(tenant, source))) {
        batch.delete(Family.DELIVERIES, Keys.delivery(seq, sinkId));
        batch.delete(Family.INDEX, Keys.due(sinkId, stamp.get(), seq));
      }
    }
    write(batch);
    marks =
        new Marks(
            marks.appliedSeq(), marks.appliedSeq(), stamp.get(), stamp.get(), marks.epoch(), false);
    dispatcher().resumed();
  }

  void outcomesCanBeWritten(boolean yes) {
    currentDoor.isShut = !yes;
  }

  /** How often a write of outcomes was tried. */
  int triedWrites() {
    return currentDoor.tried.get();
  }

  /** The seqs whose deliveries were written, in the order of the writes. */
  List<Long> writtenSeqs() {
    synchronized (currentDoor.written) {
      return List.copyOf(currentDoor.written);
    }
  }

  void write(Batch batch) {
    try {
      store.apply(batch);
    } catch (StoreException e) {
      throw new AssertionError(e);
    }
  }

  Delivery delivery(long seq, int sinkId) {
    byte[] value = store.value(Family.DELIVERIES, Keys.delivery(seq, sinkId));
    assertThat(value).as("delivery row of %d", seq).isNotNull();
    return DeliveryCodec.decode(seq, sinkId, value == null ? new byte[0] : value);
  }

  List<Keys.Position> due() {
    return store.index(Keys.DUE).stream().map(Keys::positionOf).toList();
  }

  List<Keys.Position> dead() {
    return store.index(Keys.DEAD).stream().map(Keys::positionOf).toList();
  }

  @Override
  public void close() {
    sinks.values().forEach(FakeSink::release);
    abandoned.forEach(one -> one.stop(Duration.ZERO));
    if (dispatcher != null) {
      dispatcher.stop(Duration.ZERO);
    }
    sinks.forEach(
        (name, sink) ->
            assertThat(sink.ranOneTwiceAtOnce())
                .as("%s ran one hook twice at once", name)
                .isFalse());
  }

  /** How one process reaches the store. */
  private final class Door implements RepeatableWrites, Store {
    private final AtomicInteger tried = new AtomicInteger();
    private final List<Long> written = new ArrayList<>();
    private volatile boolean isShut;
    private volatile boolean isShutForGood;

    @Override
    public StoreLease lease() throws StoreUnavailableException {
      if (isShutForGood) {
        throw new StoreUnavailableException("this process is gone");
      }
      return store.lease();
    }

    @Override
    public void onWriteFailure(Consumer<StoreException> listener) {
      store.onWriteFailure(listener);
    }

    @Override
    public void onTick(Runnable callback) {
      store.onTick(callback);
    }

    @Override
    public void reopen() {
      store.reopen();
    }

    @Override
    public long generation() {
      return store.generation();
    }

    @Override
    public boolean isOpen() {
      return store.isOpen();
    }

    @Override
    public boolean hasRoom() {
      return store.hasRoom();
    }

    @Override
    public void write(Batch batch) throws StoreException {
      tried.incrementAndGet();
      if (isShut || isShutForGood) {
        throw new StoreUnavailableException("the queue is fenced");
      }
      store.apply(batch);
      batch.forEach(
          new Batch.Visitor() {
            @Override
            public void put(Family family, byte[] key, byte[] value) {
              if (family == Family.DELIVERIES) {
                synchronized (written) {
                  written.add(Keys.seqOfHook(Arrays.copyOf(key, 8)));
                }
              }
            }

            @Override
            public void delete(Family family, byte[] key) {}

            @Override
            public void deleteRange(Family family, byte[] from, byte[] to) {
              throw new AssertionError("an outcome deletes no range");
            }
          });
    }
  }

  private final class Ids implements SinkIds {
    @Override
    public int idOf(SourceRef source, String sink) {
      return id(source.tenant(), source.name(), sink);
    }
  }

  private final class Factory implements SinkFactory {
    @Override
    public String type() {
      return "fake";
    }

    @Override
    public Sink create(SourceRef source, String name, Map<String, String> settings) {
      assertThat(settings).isEmpty();
      FakeSink sink = sinks.get(source + "/" + name);
      if (sink == null) {
        throw new IllegalArgumentException("no such sink");
      }
      return sink;
    }
  }

  private final class Directory implements SourceDirectory {
    @Override
    public @Nullable Source find(String tenant, String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Collection<Source> all() {
      Verifier unused =
          request -> {
            throw new UnsupportedOperationException();
          };
      return sources.entrySet().stream()
          .map(
              entry ->
                  new Source(
                      entry.getKey(),
                      "custom",
                      unused,
                      SourceHandshake.NONE,
                      DedupeRule.NONE,
                      1 << 20,
                      Set.of("POST"),
                      SuccessAnswer.USUAL,
                      List.of(),
                      RateLimits.NONE,
                      entry.getValue()))
          .toList();
    }
  }
}
