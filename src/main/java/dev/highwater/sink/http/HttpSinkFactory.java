package dev.highwater.sink.http;

import dev.highwater.hook.SourceRef;
import dev.highwater.sink.EgressPolicy;
import dev.highwater.sink.Sink;
import dev.highwater.sink.SinkFactory;
import dev.highwater.sink.SinkSettings;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;

/** Makes sinks of type {@code http}. */
public final class HttpSinkFactory implements SinkFactory {
  /**
   * How long a connection waits for its next request. Less than the 5 s after which Node, Apache
   * and uvicorn close theirs: who closes first cannot be surprised.
   */
  private static final Duration IDLE = Duration.ofSeconds(4);

  private final InstantSource clock;
  private final String userAgent;
  private final EgressPolicy egress;
  private final CheckedDns.Lookup lookup;
  private final TlsSocketStrategy tls;
  private final Duration idle;

  /**
   * @param clock the wall clock, for {@code webhook-timestamp} and {@code Retry-After}
   * @param userAgent what is sent as {@code user-agent}
   * @param egress where these sinks may connect to
   */
  public HttpSinkFactory(InstantSource clock, String userAgent, EgressPolicy egress) {
    // One TLS context for all sinks: each would hold its own copy of the trusted certificates.
    this(
        clock,
        userAgent,
        egress,
        InetAddress::getAllByName,
        DefaultClientTlsStrategy.createDefault(),
        IDLE);
  }

  HttpSinkFactory(
      InstantSource clock,
      String userAgent,
      EgressPolicy egress,
      CheckedDns.Lookup lookup,
      TlsSocketStrategy tls,
      Duration idle) {
    this.clock = clock;
    this.userAgent = userAgent;
    this.egress = egress;
    this.lookup = lookup;
    this.tls = tls;
    this.idle = idle;
  }

  @Override
  public String type() {
    return "http";
  }

  @Override
  public Sink create(SourceRef source, String name, Map<String, String> settings) {
    HttpSinkSettings typed = SinkSettings.bind(HttpSinkSettings.class, settings);
    String label = source.tenant() + "-" + source.name() + "-" + name;
    var dns = new CheckedDns(lookup, egress, label);
    return new HttpSink(
        label,
        typed,
        new RequestWriter(typed, clock, userAgent),
        new Connections(label, typed, dns, tls, idle),
        clock);
  }
}
