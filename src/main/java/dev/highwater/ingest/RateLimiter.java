package dev.highwater.ingest;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.highwater.hook.SourceRef;
import dev.highwater.source.RateLimit;
import dev.highwater.source.RateLimits;
import dev.highwater.source.Source;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Token buckets for tenants, sources and client addresses. Asked only for what was verified, so
 * that forged traffic spends nobody's rate (G11). A hook takes from every limit it meets or from
 * none.
 *
 * <p>What is counted lives in memory: it is full again after a restart, and nodes do not share it.
 * Client addresses are bounded: of more than {@value #MOST_CLIENTS} the ones not seen for longest
 * are forgotten, which makes their buckets full again (G13). An IPv6 client counts as its /64
 * network, all of which usually is one client's.
 *
 * <p>Any thread may call.
 */
final class RateLimiter {
  static final int MOST_CLIENTS = 100_000;

  /** A bucket that is as old as the longest burst is full anyway. */
  private static final Duration CLIENT_IS_KEPT = Duration.ofHours(1);

  private static final int NETWORK_BYTES = 8;

  private final TimeMeter clock;

  /** One entry for each tenant and source that has a limit: bounded by what is configured. */
  private final ConcurrentMap<String, Buckets> tenants = new ConcurrentHashMap<>();

  private final ConcurrentMap<SourceRef, Buckets> sources = new ConcurrentHashMap<>();
  private final Cache<Client, Buckets> clients;

  /**
   * A limiter with full buckets.
   *
   * @param nanoTime monotonic
   */
  RateLimiter(LongSupplier nanoTime) {
    clock =
        new TimeMeter() {
          @Override
          public long currentTimeNanos() {
            return nanoTime.getAsLong();
          }

          @Override
          public boolean isWallClockBased() {
            return false;
          }
        };
    Ticker ticker = nanoTime::getAsLong;
    clients =
        Caffeine.newBuilder()
            .maximumSize(MOST_CLIENTS)
            .expireAfterAccess(CLIENT_IS_KEPT)
            .ticker(ticker)
            .executor(Runnable::run)
            .build();
  }

  /** A client of a source; those whose address is not known are one. */
  private record Client(SourceRef source, @Nullable InetAddress network) {}

  /**
   * @param limit what they were made for: when it changes they are made anew
   */
  private record Buckets(RateLimit limit, @Nullable Bucket hooks, @Nullable Bucket bytes) {}

  private record Taken(Bucket bucket, long tokens) {}

  /**
   * Takes a hook from all its limits, or from none.
   *
   * @param client its address, or null where it is not known
   * @param bytes of its body; one that is larger than a whole bucket takes the whole bucket
   * @return null if it may come in, otherwise how long the fullest limit needs until it may
   */
  @Nullable Duration take(Source source, @Nullable InetAddress client, int bytes) {
    RateLimits limits = source.rateLimits();
    if (limits.equals(RateLimits.NONE)) {
      return null;
    }
    List<Taken> taken = new ArrayList<>(6);
    Duration wait = take(ofClient(source, client, limits.client()), bytes, taken);
    if (wait == null) {
      wait = take(of(sources, source.ref(), limits.source()), bytes, taken);
    }
    if (wait == null) {
      wait = take(of(tenants, source.ref().tenant(), limits.tenant()), bytes, taken);
    }
    if (wait != null) {
      taken.forEach(back -> back.bucket().addTokens(back.tokens()));
    }
    return wait;
  }

  /** How many client addresses are remembered. */
  long clients() {
    clients.cleanUp();
    return clients.estimatedSize();
  }

  private static @Nullable Duration take(@Nullable Buckets buckets, int bytes, List<Taken> taken) {
    if (buckets == null) {
      return null;
    }
    Duration wait = take(buckets.hooks(), 1, taken);
    if (wait != null || bytes == 0) {
      return wait;
    }
    return take(buckets.bytes(), Math.min(bytes, buckets.limit().bytesAtOnce()), taken);
  }

  private static @Nullable Duration take(@Nullable Bucket bucket, long tokens, List<Taken> taken) {
    if (bucket == null) {
      return null;
    }
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(tokens);
    if (!probe.isConsumed()) {
      return Duration.ofNanos(probe.getNanosToWaitForRefill());
    }
    taken.add(new Taken(bucket, tokens));
    return null;
  }

  private @Nullable Buckets ofClient(
      Source source, @Nullable InetAddress client, @Nullable RateLimit limit) {
    return limit == null
        ? null
        : of(clients.asMap(), new Client(source.ref(), networkOf(client)), limit);
  }

  private <K> @Nullable Buckets of(
      ConcurrentMap<K, Buckets> all, K key, @Nullable RateLimit limit) {
    if (limit == null) {
      return null;
    }
    Buckets known = all.get(key);
    return known != null && known.limit().equals(limit)
        ? known
        : all.compute(
            key, (k, old) -> old != null && old.limit().equals(limit) ? old : bucketsOf(limit));
  }

  private Buckets bucketsOf(RateLimit limit) {
    return new Buckets(
        limit,
        bucketOf(limit.hooksPerSecond(), limit.hooksAtOnce()),
        bucketOf(limit.bytesPerSecond(), limit.bytesAtOnce()));
  }

  private @Nullable Bucket bucketOf(long perSecond, long atOnce) {
    return perSecond == 0
        ? null
        : Bucket.builder()
            .addLimit(
                limit -> limit.capacity(atOnce).refillGreedy(perSecond, Duration.ofSeconds(1)))
            .withCustomTimePrecision(clock)
            .build();
  }

  private static @Nullable InetAddress networkOf(@Nullable InetAddress client) {
    if (!(client instanceof Inet6Address)) {
      return client;
    }
    byte[] network = client.getAddress();
    Arrays.fill(network, NETWORK_BYTES, network.length, (byte) 0);
    try {
      return InetAddress.getByAddress(network);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("it has as many bytes as before", e);
    }
  }
}
