package dev.highwater;

import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * Gives the operator port platform threads of its own. Virtual threads share their few carriers,
 * first come first served, with all that is being received: a probe would wait behind every body,
 * and the node would be taken for dead when it is busy (G10). The system shares its processors more
 * fairly.
 *
 * <p>Listed in {@code META-INF/spring/…ManagementContextConfiguration.imports}, and without an
 * annotation that component scanning looks for: the public port must not take it up.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class OperatorServer implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  private static final int THREADS = 8;

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.addConnectorCustomizers(
        connector -> {
          if (connector.getProtocolHandler() instanceof AbstractProtocol<?> server) {
            server.setExecutor(null); // the server then makes its own
            server.setMinSpareThreads(2);
            server.setMaxThreads(THREADS);
          }
        });
  }
}
