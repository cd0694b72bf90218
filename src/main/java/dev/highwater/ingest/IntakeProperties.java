package dev.highwater.ingest;

import dev.highwater.source.AddressRange;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long a sender may take. What it may send is bounded by its source and by the queue.
 *
 * @param headerTimeout for the request line and all headers, from the first byte
 * @param bodyTimeout for the whole body, from the end of the headers
 * @param readTimeout for the next bytes of a body; at most {@code bodyTimeout} where that is
 *     shorter
 * @param trustedProxies addresses whose {@code X-Forwarded-For} is believed, such as 10.0.0.0/8;
 *     none unless set
 */
@ConfigurationProperties("highwater.intake")
record IntakeProperties(
    @DefaultValue("20s") Duration headerTimeout,
    @DefaultValue("30s") Duration bodyTimeout,
    @DefaultValue("10s") Duration readTimeout,
    @DefaultValue List<String> trustedProxies) {

  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  IntakeProperties {
    check("highwater.intake.header-timeout", headerTimeout);
    check("highwater.intake.body-timeout", bodyTimeout);
    check("highwater.intake.read-timeout", readTimeout);
    trustedProxies = List.copyOf(trustedProxies);
    ranges(trustedProxies);
  }

  /** Where a proxy that is believed may stand. */
  List<AddressRange> trustedRanges() {
    return ranges(trustedProxies);
  }

  private static List<AddressRange> ranges(List<String> texts) {
    return AddressRange.parseAll("highwater.intake.trusted-proxies", texts);
  }

  /** How long one read of a body may wait. */
  Duration longestRead() {
    return readTimeout.compareTo(bodyTimeout) < 0 ? readTimeout : bodyTimeout;
  }

  private static void check(String key, Duration value) {
    if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(key + " must be 10ms to 10m, not " + value);
    }
  }
}
