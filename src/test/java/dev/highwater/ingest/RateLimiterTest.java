package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.handshake.SourceHandshake;
import dev.highwater.hook.SourceRef;
import dev.highwater.signature.FailureReason;
import dev.highwater.signature.Verifier;
import dev.highwater.source.DedupeRule;
import dev.highwater.source.RateLimit;
import dev.highwater.source.RateLimits;
import dev.highwater.source.Source;
import dev.highwater.source.SuccessAnswer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  private static final InetAddress ONE = InetAddress.ofLiteral("203.0.113.1");
  private static final InetAddress OTHER = InetAddress.ofLiteral("203.0.113.2");

  private final AtomicLong clock = new AtomicLong();
  private final RateLimiter limiter = new RateLimiter(clock::get);

  @Test
  void whatHasNoLimitIsNeverRefused() {
    Source free = source("a", "free", null, null, null);
    for (int i = 0; i < 100_000; i++) {
      assertThat(limiter.take(free, ONE, 1 << 20)).isNull();
    }
    assertThat(limiter.clients()).isZero();
  }

  @Test
  void aBurstGoesThroughAndThenTheRateHolds() {
    Source source = source("a", "s", null, hooks(2, 3), null);
    for (int i = 0; i < 6; i++) {
      assertThat(limiter.take(source, ONE, 0)).isNull();
    }
    assertThat(limiter.take(source, ONE, 0)).isEqualTo(Duration.ofMillis(500));
    pass(Duration.ofMillis(499));
    assertThat(limiter.take(source, ONE, 0)).isEqualTo(Duration.ofMillis(1));
    pass(Duration.ofMillis(1));
    assertThat(limiter.take(source, ONE, 0)).isNull();
    assertThat(limiter.take(source, ONE, 0)).isNotNull();
  }

  @Test
  void bytesAreCountedToo() {
    Source source = source("a", "s", null, new RateLimit(0, 1000, Duration.ofSeconds(2)), null);
    assertThat(limiter.take(source, ONE, 1500)).isNull();
    assertThat(limiter.take(source, ONE, 501)).isEqualTo(Duration.ofMillis(1));
    assertThat(limiter.take(source, ONE, 0)).isNull();
    assertThat(limiter.take(source, ONE, 500)).isNull();
  }

  @Test
  void aBodyThatIsLargerThanTheWholeBucketWaitsForAFullOneAndNotForEver() {
    Source source = source("a", "s", null, new RateLimit(0, 1000, Duration.ofSeconds(2)), null);
    assertThat(limiter.take(source, ONE, 1)).isNull();
    assertThat(limiter.take(source, ONE, 1 << 20)).isEqualTo(Duration.ofMillis(1));
    pass(Duration.ofMillis(1));
    assertThat(limiter.take(source, ONE, 1 << 20)).isNull();
    assertThat(limiter.take(source, ONE, 1)).isNotNull();
  }

  @Test
  void oneSourceOrTenantOrClientDoesNotSpendAnothersRate() {
    Source first = source("a", "first", hooks(1, 3), hooks(1, 2), null);
    Source second = source("a", "second", hooks(1, 3), hooks(1, 2), null);
    Source others = source("b", "first", hooks(1, 3), hooks(1, 2), null);
    assertThat(limiter.take(first, ONE, 0)).isNull();
    assertThat(limiter.take(first, ONE, 0)).isNull();
    assertThat(limiter.take(first, ONE, 0)).isNotNull();
    assertThat(limiter.take(second, ONE, 0)).isNull();
    // The tenant's three are spent, its second source's two are not.
    assertThat(limiter.take(second, ONE, 0)).isNotNull();
    assertThat(limiter.take(others, ONE, 0)).isNull();

    Source perClient = source("c", "s", null, null, hooks(1, 1));
    assertThat(limiter.take(perClient, ONE, 0)).isNull();
    assertThat(limiter.take(perClient, ONE, 0)).isNotNull();
    assertThat(limiter.take(perClient, OTHER, 0)).isNull();
    assertThat(limiter.take(perClient, null, 0)).isNull();
    assertThat(limiter.take(perClient, null, 0)).isNotNull();
  }

  @Test
  void whatOneLimitRefusesTakesNothingFromTheOthers() {
    Source source = source("a", "s", hooks(1, 2), null, hooks(1, 1));
    Source free = source("a", "t", hooks(1, 2), null, null);
    assertThat(limiter.take(source, ONE, 0)).isNull();
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.take(source, ONE, 0)).isNotNull();
    }
    assertThat(limiter.take(free, ONE, 0)).isNull();
    // And the other way round: the tenant's is spent, the second client's is not.
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.take(source, OTHER, 0)).isNotNull();
    }
    pass(Duration.ofSeconds(1));
    assertThat(limiter.take(source, OTHER, 0)).isNull();
  }

  @Test
  void aClientOfIpv6IsItsNetwork() {
    Source source = source("a", "s", null, null, hooks(1, 1));
    assertThat(limiter.take(source, InetAddress.ofLiteral("2001:db8::1"), 0)).isNull();
    assertThat(limiter.take(source, InetAddress.ofLiteral("2001:db8::2"), 0)).isNotNull();
    assertThat(limiter.take(source, InetAddress.ofLiteral("2001:db8:0:1::1"), 0)).isNull();
  }

  @Test
  void clientAddressesAreBounded() {
    Source source = source("a", "s", null, null, hooks(1, 1));
    for (int i = 0; i < RateLimiter.MOST_CLIENTS + 5_000; i++) {
      byte[] bytes = {10, (byte) (i >> 16), (byte) (i >> 8), (byte) i};
      limiter.take(source, address(bytes), 0);
    }
    assertThat(limiter.clients()).isLessThanOrEqualTo(RateLimiter.MOST_CLIENTS);
    pass(Duration.ofHours(2));
    assertThat(limiter.clients()).isZero();
  }

  @Test
  void aLimitThatWasChangedHoldsFromTheNextHookOn() {
    assertThat(limiter.take(source("a", "s", null, hooks(1, 1), null), ONE, 0)).isNull();
    assertThat(limiter.take(source("a", "s", null, hooks(1, 1), null), ONE, 0)).isNotNull();
    assertThat(limiter.take(source("a", "s", null, hooks(5, 1), null), ONE, 0)).isNull();
  }

  private static InetAddress address(byte[] address) {
    try {
      return InetAddress.getByAddress(address);
    } catch (java.net.UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private static RateLimit hooks(long perSecond, int seconds) {
    return new RateLimit(perSecond, 0, Duration.ofSeconds(seconds));
  }

  private static Source source(
      String tenant,
      String name,
      @Nullable RateLimit ofTenant,
      @Nullable RateLimit own,
      @Nullable RateLimit client) {
    return new Source(
        new SourceRef(tenant, name),
        "custom",
        request -> new Verifier.Failed(FailureReason.NO_MATCH),
        SourceHandshake.NONE,
        DedupeRule.NONE,
        1 << 20,
        Set.of("POST"),
        SuccessAnswer.USUAL,
        List.of(),
        new RateLimits(ofTenant, own, client),
        List.of());
  }
}
