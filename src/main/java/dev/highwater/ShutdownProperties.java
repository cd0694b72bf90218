package dev.highwater;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the service stops.
 *
 * @param grace how long hooks are still taken after readiness has turned to out of service, for
 *     load balancers; 0 to 10 min
 * @param attempts how long running attempts may still take before they are interrupted and made
 *     again later; 0 to 10 min
 */
@ConfigurationProperties("highwater.shutdown")
record ShutdownProperties(
    @DefaultValue("5s") Duration grace, @DefaultValue("10s") Duration attempts) {
  private static final Duration LONGEST = Duration.ofMinutes(10);

  ShutdownProperties {
    check("grace", grace);
    check("attempts", attempts);
  }

  private static void check(String key, Duration value) {
    if (value.isNegative() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "highwater.shutdown." + key + " must be 0s to 600s, not " + value);
    }
  }
}
