package benchmark.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests over keep-alive connections and measures what comes back. A process of its own
 * with one thread, so that what it costs is seen and the same for every row.
 *
 * <p>In a closed loop each connection sends when it was answered: that shows how much a server gets
 * through, and hides its stalls, because during a stall nobody asks. In an open loop the time at
 * which each request leaves is fixed beforehand, and its latency counts from then, whether or not a
 * connection was free: a stall is seen by every request that should have been sent in it.
 *
 * <p>Prints {@code BEGIN} and {@code END} at the edges of what is measured, for whoever reads other
 * counters at the same moments, and {@code RESULT} with the numbers. After {@code BEGIN} it waits for
 * a line, so that the reading is no part of what is measured.
 */
public final class LoadGenerator {
  private static final long LONGEST_AFTERMATH = TimeUnit.SECONDS.toNanos(30);
  private static final long SELECTOR_IS_TOO_COARSE = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long NAP = TimeUnit.MICROSECONDS.toNanos(50);

  private final Selector selector = Selector.open();
  private final BufferedReader orders =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final Requests requests;
  private final List<Connection> connections = new ArrayList<>();
  private final ArrayDeque<Connection> free = new ArrayDeque<>();
  private Tally tally = new Tally();
  private long end;
  private boolean sendsAtOnce;
  private int under;
  private long answered;
  private double lastClosedRate;

  private LoadGenerator(int port, String path, int count, int bodyBytes)
      throws IOException, GeneralSecurityException {
    var address = new InetSocketAddress("127.0.0.1", port);
    requests = new Requests("127.0.0.1:" + port, path, bodyBytes);
    for (int i = 0; i < count; i++) {
      var connection = new Connection(address, selector, requests.longest());
      connections.add(connection);
      free.add(connection);
    }
  }

  /** Arguments: port, path, connections, bytes of a body, and the phases. */
  public static void main(String[] args) throws Exception {
    var load =
        new LoadGenerator(
            Integer.parseInt(args[0]),
            args[1],
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]));
    for (int i = 4; i < args.length; i++) {
      load.run(Phase.parse(args[i]));
    }
  }

  private void run(Phase phase) throws IOException {
    tally = new Tally();
    answered = 0;
    if (phase.isMeasured()) {
      // Reading counters makes the server work: it is over before the first request leaves.
      System.out.println("BEGIN");
      orders.readLine();
    }
    long cpu = processNanos();
    long begin = System.nanoTime();
    double intended = 0;
    switch (phase) {
      case Phase.Warm(long nanos) -> closed(begin + nanos, Long.MAX_VALUE);
      case Phase.Closed(long nanos) -> closed(begin + nanos, Long.MAX_VALUE);
      case Phase.Count(long count) -> closed(Long.MAX_VALUE, count);
      case Phase.Open(long nanos, double rate, double share, boolean measured) -> {
        intended = rate > 0 ? rate : lastClosedRate * share;
        open(begin, begin + nanos, Math.max(1, intended));
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    cpu = processNanos() - cpu;
    if (!phase.isMeasured()) {
      aftermath();
      return;
    }
    System.out.println("END");
    if (phase instanceof Phase.Closed) {
      lastClosedRate = tally.inWindow() / seconds;
    }
    aftermath();
    System.out.println("RESULT " + tally.line(seconds, intended, cpu / 1e9));
  }

  private void closed(long until, long count) throws IOException {
    end = until;
    sendsAtOnce = true;
    sendFree();
    while (System.nanoTime() < end && answered < count) {
      selector.select(this::ready, 100);
      sendFree();
    }
    if (until == Long.MAX_VALUE) {
      end = System.nanoTime();
    }
    sendsAtOnce = false;
  }

  private void sendFree() throws IOException {
    for (Connection c = free.poll(); c != null; c = free.poll()) {
      send(c, System.nanoTime());
    }
  }

  private void open(long begin, long until, double rate) throws IOException {
    end = until;
    double interval = 1e9 / rate;
    long sent = 0;
    long due = begin;
    long now = System.nanoTime();
    while (due < until && now - until < LONGEST_AFTERMATH) {
      while (due <= now && due < until && !free.isEmpty()) {
        send(free.poll(), due);
        sent++;
        due = begin + (long) (sent * interval);
        now = System.nanoTime();
      }
      long wait = free.isEmpty() ? SELECTOR_IS_TOO_COARSE * 5 : due - now;
      if (wait >= SELECTOR_IS_TOO_COARSE) {
        selector.select(
            this::ready, TimeUnit.NANOSECONDS.toMillis(wait - SELECTOR_IS_TOO_COARSE / 2));
      } else if (selector.selectNow(this::ready) == 0 && wait > 0) {
        LockSupport.parkNanos(Math.min(wait, NAP));
      }
      now = System.nanoTime();
    }
    // What was never sent because no connection became free has waited too.
    for (; due < until; due = begin + (long) (sent * interval)) {
      tally.unanswered(now - due);
      sent++;
    }
    while (System.nanoTime() < until) {
      selector.select(this::ready, 1);
    }
  }

  /** Waits for what is under way, so that one phase's requests are not the next one's load. */
  private void aftermath() throws IOException {
    long giveUp = System.nanoTime() + LONGEST_AFTERMATH;
    while (under > 0 && System.nanoTime() < giveUp) {
      selector.select(this::ready, 100);
    }
    for (Connection connection : connections) {
      if (connection.waiting) {
        tally.unanswered(System.nanoTime() - connection.since);
        under--;
        connection.reconnect();
        free.add(connection);
      }
    }
  }

  private void send(Connection connection, long intended) throws IOException {
    under++;
    try {
      connection.send(requests, intended);
    } catch (IOException e) {
      ended(connection);
    }
  }

  private void ready(SelectionKey key) {
    var connection = (Connection) key.attachment();
    try {
      if (key.isWritable()) {
        connection.flush();
      }
      if (key.isReadable()) {
        int status = connection.read();
        if (status < 0) {
          ended(connection);
        } else if (status > 0) {
          answered(connection, status);
        }
      }
    } catch (IOException e) {
      try {
        ended(connection);
      } catch (IOException gone) {
        throw new java.io.UncheckedIOException("the server takes no connections any more", gone);
      }
    }
  }

  private void answered(Connection connection, int status) throws IOException {
    long now = System.nanoTime();
    answered++;
    under--;
    connection.waiting = false;
    tally.answered(status, now - connection.since, now <= end);
    if (connection.isClosing()) {
      connection.reconnect();
    }
    if (sendsAtOnce && now < end) {
      send(connection, now);
    } else {
      free.add(connection);
    }
  }

  private void ended(Connection connection) throws IOException {
    if (connection.waiting) {
      tally.broken();
      under--;
    }
    boolean wasWaiting = connection.waiting;
    connection.reconnect();
    if (wasWaiting) {
      free.add(connection);
    }
  }

  private static long processNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
