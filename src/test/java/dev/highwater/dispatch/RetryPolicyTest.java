package dev.highwater.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
  private static final RandomGenerator RANDOM = new Random(7);

  @Test
  void theUsualWaitsAreThoseOfStandardWebhooksAndThenItIsOver() {
    var waits =
        IntStream.rangeClosed(1, 9)
            .mapToObj(ended -> RetryPolicy.usual().waitAfter(ended, null, RANDOM))
            .toList();

    assertThat(waits)
        .containsExactly(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));
    assertThat(RetryPolicy.usual().waitAfter(10, null, RANDOM)).isNull();
    assertThat(RetryPolicy.usual().waitAfter(Integer.MAX_VALUE, null, RANDOM)).isNull();
  }

  @Test
  void aGrowingWaitIsAnywhereBelowItsCeiling() {
    var policy = RetryPolicy.exponential(Duration.ofMillis(100), 2, Duration.ofSeconds(1), 0);

    for (int ended = 1; ended <= 10; ended++) {
      long ceiling = Math.min(1_000, 100L << (ended - 1));
      long shortest = Long.MAX_VALUE;
      long longest = 0;
      for (int i = 0; i < 2_000; i++) {
        Duration wait = policy.waitAfter(ended, null, RANDOM);
        long millis = wait == null ? -1 : wait.toMillis();
        shortest = Math.min(shortest, millis);
        longest = Math.max(longest, millis);
      }
      assertThat(shortest).isBetween(1L, ceiling / 10);
      assertThat(longest).isBetween(ceiling - ceiling / 10, ceiling);
    }
  }

  @ParameterizedTest
  @CsvSource({"2000", "2147483646", "2147483647"})
  void anEndlessPolicyNeitherOverflowsNorWaitsForNothing(int ended) {
    var policy = RetryPolicy.exponential(Duration.ofSeconds(5), 2, Duration.ofHours(6), 0);

    for (int i = 0; i < 1_000; i++) {
      assertThat(policy.waitAfter(ended, null, RANDOM))
          .isBetween(Duration.ofMillis(1), Duration.ofHours(6));
    }
  }

  @Test
  void attemptsAreCountedWithTheFirst() {
    var policy = RetryPolicy.exponential(Duration.ofSeconds(5), 2, Duration.ofHours(6), 3);

    assertThat(policy.waitAfter(2, null, RANDOM)).isNotNull();
    assertThat(policy.waitAfter(3, null, RANDOM)).isNull();
  }

  @Test
  void whatTheOtherSideAsksForOnlyEverMakesTheWaitLonger() {
    var policy =
        RetryPolicy.delays(List.of(Duration.ofMinutes(1)))
            .honouringRetryAfterUpTo(Duration.ofHours(1));

    assertThat(policy.waitAfter(1, Duration.ofMinutes(2), RANDOM)).isEqualTo(Duration.ofMinutes(2));
    assertThat(policy.waitAfter(1, Duration.ofSeconds(2), RANDOM)).isEqualTo(Duration.ofMinutes(1));
    assertThat(policy.waitAfter(1, Duration.ofSeconds(-2), RANDOM))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(policy.waitAfter(1, Duration.ofSeconds(Long.MAX_VALUE), RANDOM))
        .isEqualTo(Duration.ofHours(1));
    assertThat(policy.waitAfter(2, Duration.ofMinutes(2), RANDOM)).isNull();
  }

  @Test
  void withoutSettingsThePolicyIsTheUsualOneAndNothingIsTakenOff() {
    var taken = RetrySettings.takenFrom(Map.of("url", "https://example.com"));

    assertThat(taken.policy()).isSameAs(RetryPolicy.usual());
    assertThat(taken.rest()).containsOnlyKeys("url");
  }

  @Test
  void aListIsTakenInOneLineOrIndexed() {
    var line = RetrySettings.takenFrom(Map.of("retry.delays", "5s, 2m", "url", "x"));
    var indexed =
        RetrySettings.takenFrom(Map.of("retry.delays[0]", "5s", "retry.delays[1]", "PT2M"));

    assertThat(line.rest()).containsOnlyKeys("url");
    for (var taken : List.of(line, indexed)) {
      assertThat(taken.policy().waitAfter(1, null, RANDOM)).isEqualTo(Duration.ofSeconds(5));
      assertThat(taken.policy().waitAfter(2, null, RANDOM)).isEqualTo(Duration.ofMinutes(2));
      assertThat(taken.policy().waitAfter(3, null, RANDOM)).isNull();
    }
  }

  @Test
  void aGrowingWaitIsTakenFromItsParts() {
    var policy =
        RetrySettings.takenFrom(
                Map.of(
                    "retry.base", "10ms",
                    "retry.factor", "1",
                    "retry.max", "10ms",
                    "retry.attempts", "endless",
                    "retry.retry-after-max", "1m"))
            .policy();

    assertThat(policy.waitAfter(Integer.MAX_VALUE, null, RANDOM))
        .isBetween(Duration.ofMillis(1), Duration.ofMillis(10));
    assertThat(policy.waitAfter(1, Duration.ofHours(1), RANDOM)).isEqualTo(Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "retry.delays | 5",
        "retry.delays | ''",
        "retry.delays | 5s,,1m",
        "retry.delays | 0s",
        "retry.delays | -5s",
        "retry.delays | 400d",
        "retry.delays | 99999999999999999999h",
        "retry.delays[1] | 5s",
        "retry.base | 0ms",
        "retry.base | soon",
        "retry.base | 7h",
        "retry.factor | 0.5",
        "retry.factor | NaN",
        "retry.factor | two",
        "retry.max | 1s",
        "retry.attempts | 0",
        "retry.attempts | -1",
        "retry.attempts | many",
        "retry.retry-after-max | -1s",
        "retry.retry-after-max | 1",
        "retry.delay | 5s",
      })
  void aWrongSettingIsRefusedByItsName(String key, String value) {
    String named = key.equals("retry.base") && value.equals("7h") ? "retry.max" : key;
    assertThatThrownBy(() -> RetrySettings.takenFrom(Map.of(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  @Test
  void aListBesideAGrowingWaitIsRefusedByBothNames() {
    assertThatThrownBy(
            () -> RetrySettings.takenFrom(Map.of("retry.delays", "5s", "retry.attempts", "3")))
        .hasMessageContaining("retry.delays")
        .hasMessageContaining("retry.attempts");
  }
}
