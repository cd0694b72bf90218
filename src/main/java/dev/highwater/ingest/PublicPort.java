package dev.highwater.ingest;

import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * Makes the server of the public port as strict and as plain as this room needs it. What an
 * operator may want to tune is in {@code application.yml}; what correctness rests on is here. The
 * operator port has a server of its own and is not touched.
 */
final class PublicPort implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  private static final Logger log = LoggerFactory.getLogger(PublicPort.class);

  /** The most a client may have sent of a refused body for its connection to be kept, in bytes. */
  private static final int MOST_SWALLOWED = 64 * 1024;

  /**
   * What senders that follow the WHATWG's rules for URLs leave unescaped, and RFC 3986 does not.
   */
  private static final String UNESCAPED_IN_QUERIES = "[]{}|\\^`";

  /**
   * What the server holds for a connection whose request is being received, in bytes: buffers for
   * its headers and for both directions, and its objects. Measured with 2,048 of them.
   */
  private static final int CONNECTION = 128 * 1024;

  /** Connections may take this part of the heap. */
  private static final int PART_OF_HEAP = 4;

  private static final int LONGEST_CHUNK_EXTENSIONS = 1024;
  private static final int LONGEST_TRAILERS = 4096;

  private final IntakeProperties properties;
  private final Farewell farewell;
  private volatile @Nullable PublicPortProtocol running;

  PublicPort(IntakeProperties properties, Farewell farewell) {
    this.properties = properties;
    this.farewell = farewell;
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.setProtocol(PublicPortProtocol.class.getName());
    factory.addEngineValves(new PublicPortValve(farewell));
    factory.addConnectorCustomizers(this::customizeConnector);
    factory.addContextCustomizers(PublicPort::customizeContext);
  }

  private void customizeConnector(Connector connector) {
    connector.setAllowTrace(false);
    // An escaped slash is left as it is, and so is part of no source's name.
    connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
    connector.setEncodedReverseSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
    if (!(connector.getProtocolHandler() instanceof PublicPortProtocol http)) {
      throw new IllegalStateException("the public port needs its own protocol");
    }
    http.setRelaxedQueryChars(UNESCAPED_IN_QUERIES);
    http.setHeaderTimeout(properties.headerTimeout());
    // A request that is refused unread is not asked for its body first.
    http.setContinueResponseTiming(ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
    http.setDisableUploadTimeout(false);
    http.setConnectionUploadTimeout((int) properties.longestRead().toMillis());
    http.setMaxSwallowSize(MOST_SWALLOWED);
    http.setMaxExtensionSize(LONGEST_CHUNK_EXTENSIONS);
    http.setMaxTrailerSize(LONGEST_TRAILERS);
    boundConnections(http, Runtime.getRuntime().maxMemory());
    running = http;
  }

  /** No other bound counts what connections hold beside the bodies. */
  private static void boundConnections(PublicPortProtocol http, long heap) {
    int configured = http.getMaxConnections();
    int fitting = connectionsWithin(heap);
    if (configured < 0 || configured > fitting) {
      http.setMaxConnections(fitting);
      log.info(
          "server.tomcat.max-connections is {}, but {} is used: no more fits the heap of {} MB"
              + " (-Xmx)",
          configured,
          fitting,
          heap >> 20);
    }
  }

  static int connectionsWithin(long heap) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, heap / PART_OF_HEAP / CONNECTION));
  }

  /** Accepts no connection any more; those that are there are still read and answered. */
  void closeListener() {
    PublicPortProtocol http = running;
    if (http != null) {
      http.closeServerSocketGraceful();
    }
  }

  /** How many connections are open. */
  int connections() {
    PublicPortProtocol http = running;
    return http == null ? 0 : http.connections();
  }

  private static void customizeContext(Context context) {
    // No error page: an error would be dispatched through the framework again.
    for (ErrorPage page : context.findErrorPages()) {
      context.removeErrorPage(page);
    }
    if (context.getParent() instanceof StandardHost host) {
      host.setErrorReportValveClass("");
      host.getPipeline().addValve(new ProblemReportValve());
    }
  }
}
