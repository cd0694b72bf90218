package dev.highwater.dispatch;

import dev.highwater.hook.SourceRef;
import dev.highwater.sink.Sink;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The due rows of one sink: where to read on, what was read and waits for a slot, and what is in
 * flight.
 *
 * <p>The floor is a lower bound: every due row of this sink below it is held in memory. A scan
 * raises it to the first row it did not read; a wake, a retry and the end of a fence lower it. When
 * a scan has found the end, the floor is {@link #END}, and only a wake brings it back. So no scan
 * walks what was delivered before, and none is made when nothing can be found.
 *
 * <p>Owned by the dispatch thread, except {@link #wake}, which any thread may call.
 */
final class Lane {
  /** Below so many ready rows, more are read. */
  static final int READY_LOW = 8;

  /** The floor of a lane whose rows are all held; also: no wake. */
  static final long END = Long.MAX_VALUE;

  private static final int MOST_SAID = 16;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final int id;
  private final SourceRef source;
  private final String name;
  private final Sink sink;
  private final RetryPolicy retry;
  private final Tenant tenant;
  private final SinkStats stats;
  private final Share share = new Share();
  private final Backoff pause = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);

  private final Map<Long, Row> held = new LinkedHashMap<>();
  private final ArrayDeque<Row> ready = new ArrayDeque<>();
  private long floorAt;
  private long floorSeq;
  private boolean queued;
  private boolean saidDamaged;
  private final Set<String> saidThrown = new HashSet<>();
  private Agenda.@Nullable Entry entry;

  private final AtomicLong wokenAt = new AtomicLong(END);

  Lane(int id, SourceRef source, String name, Sink sink, RetryPolicy retry, Tenant tenant) {
    this.id = id;
    this.source = source;
    this.name = name;
    this.sink = sink;
    this.retry = retry;
    this.tenant = tenant;
    this.stats = new SinkStats(source, name);
  }

  int id() {
    return id;
  }

  SourceRef source() {
    return source;
  }

  String name() {
    return name;
  }

  Sink sink() {
    return sink;
  }

  RetryPolicy retry() {
    return retry;
  }

  Tenant tenant() {
    return tenant;
  }

  Share share() {
    return share;
  }

  SinkStats stats() {
    return stats;
  }

  /** Pauses the scans of this lane alone. */
  Backoff pause() {
    return pause;
  }

  /**
   * Notes that rows with that stamp are there.
   *
   * @return whether nothing had been noted since {@link #takeWake}
   */
  boolean wake(long at) {
    return wokenAt.getAndAccumulate(at, Math::min) == END;
  }

  /** Lowers the floor by what was noted. */
  void takeWake() {
    lowerFloor(wokenAt.getAndSet(END));
  }

  void lowerFloor(long at) {
    if (at < floorAt || (at == floorAt && floorSeq > 0)) {
      floor(at, 0);
    }
  }

  /** Reading goes on at that key. */
  void floor(long at, long seq) {
    floorAt = at;
    floorSeq = seq;
  }

  long floorAt() {
    return floorAt;
  }

  long floorSeq() {
    return floorSeq;
  }

  /** Whether a scan may find rows for which there is room. */
  boolean wantsRows() {
    return floorAt != END && ready.size() < READY_LOW;
  }

  /** The row of that hook, if it is held. */
  @Nullable Row held(long seq) {
    return held.get(seq);
  }

  /** Takes what a scan has read. */
  void addReady(List<Row> rows) {
    for (Row row : rows) {
      held.put(row.seq(), row);
      ready.add(row);
    }
  }

  int readyCount() {
    return ready.size();
  }

  boolean hasReady() {
    return !ready.isEmpty();
  }

  Row firstReady() {
    return ready.element();
  }

  Row takeReady() {
    return ready.remove();
  }

  /** It could not be read: it is the next one again. */
  void putBack(Row row) {
    ready.addFirst(row);
  }

  /** Its outcome is written, or it is left as it stands. */
  void drop(Row row) {
    held.remove(row.seq());
  }

  boolean isQueued() {
    return queued;
  }

  void queued(boolean hasTurn) {
    queued = hasTurn;
  }

  /** Where it stands on the agenda. */
  Agenda.@Nullable Entry entry() {
    return entry;
  }

  void entry(Agenda.@Nullable Entry place) {
    entry = place;
  }

  /** True once, so that a damaged row is logged and does not flood the log. */
  boolean saysDamagedNow() {
    boolean first = !saidDamaged;
    saidDamaged = true;
    return first;
  }

  /** Whether the sink has not thrown such a thing before; false once it has thrown many kinds. */
  boolean throwsAnew(String thrown) {
    return saidThrown.size() < MOST_SAID && saidThrown.add(thrown);
  }

  /** Shows where it stands to whoever reads the stats. */
  void publish() {
    stats.running(share.running());
    if (floorAt != 0) {
      long oldest = held.isEmpty() ? END : held.values().iterator().next().at();
      stats.oldestDue(Math.min(oldest, floorAt));
    }
  }

  @Override
  public String toString() {
    return source + "/" + name;
  }
}
