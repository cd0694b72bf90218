package dev.highwater.sink.http;

import dev.highwater.sink.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.utils.DateUtils;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.jspecify.annotations.Nullable;

/**
 * Says what an answer, or the lack of one, means for the delivery. Details name what happened and
 * nothing a peer or the configuration wrote: messages of the client hold host names and lines of
 * the answer.
 */
final class Answers {
  /** More is not told: how much of it is honoured is up to the retries of the sink. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(365);

  /** So many digits a long holds for certain. */
  private static final int MOST_DIGITS = 18;

  private final HttpSinkSettings settings;
  private final InstantSource clock;

  Answers(HttpSinkSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /** By the head of the answer alone. */
  Outcome of(ClassicHttpResponse response) {
    int status = response.getCode();
    String detail = "HTTP " + status;
    if (status >= 200 && status <= 299) {
      return new Outcome.Delivered(detail);
    }
    if (settings.permanentStatuses().contains(status)) {
      return new Outcome.Permanent(detail);
    }
    return new Outcome.Transient(detail, retryAfter(response.getFirstHeader("retry-after")));
  }

  Outcome timedOut() {
    return failed("timed out after " + text(settings.timeout()));
  }

  Outcome endless() {
    return failed("the answer has no end");
  }

  /** What ended an exchange without an answer, the more special before the more general. */
  Outcome of(IOException e) {
    return failed(
        switch (e) {
          case CheckedDns.RefusedAddressException refused -> "address refused by the egress policy";
          case UnknownHostException unknown -> "unknown host";
          case ConnectTimeoutException connect ->
              "connect timed out after " + text(settings.connecting());
          case SocketTimeoutException slow -> "timed out after " + text(settings.timeout());
          case ConnectException connect ->
              isRefused(connect) ? "connection refused" : "cannot connect";
          case NoRouteToHostException route -> "no route to host";
          case SSLPeerUnverifiedException peer -> "the certificate is not for this host";
          case SSLException tls -> "TLS failed";
          case NoHttpResponseException none -> "closed without an answer";
          case TruncatedChunkException cut -> "the answer broke off";
          case MalformedChunkCodingException junk -> "not a valid HTTP answer";
          case ConnectionClosedException cut -> "the answer broke off";
          case MessageConstraintException large -> "the head of the answer is too large";
          case ClientProtocolException junk -> "not a valid HTTP answer";
          case SocketException reset -> "connection lost";
          default -> "input or output failed (" + e.getClass().getSimpleName() + ")";
        });
  }

  private static Outcome failed(String detail) {
    return new Outcome.Transient(detail, null);
  }

  private static boolean isRefused(ConnectException e) {
    String message = e.getMessage();
    return message != null && message.contains("refused");
  }

  /** Seconds or a date; null where there is neither, or it lies in the past. */
  private @Nullable Duration retryAfter(@Nullable Header header) {
    if (header == null || header.getValue() == null) {
      return null;
    }
    String value = header.getValue().strip();
    if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return value.length() > MOST_DIGITS
          ? LONGEST_WAIT
          : bounded(Duration.ofSeconds(Long.parseLong(value)));
    }
    Instant date = DateUtils.parseStandardDate(value);
    if (date == null) {
      return null;
    }
    Duration wait = Duration.between(clock.instant(), date);
    return wait.isNegative() ? null : bounded(wait);
  }

  private static Duration bounded(Duration wait) {
    return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
  }

  private static String text(Duration duration) {
    return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
  }
}
