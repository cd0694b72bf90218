package dev.highwater.security;

import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.Valve;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/** Puts this room's valves into the server of the operator port. */
final class OperatorPort
    implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    List<Valve> valves = new ArrayList<>(factory.getEngineValves());
    valves.addFirst(new CallerValve());
    factory.setEngineValves(valves);
    factory.addContextCustomizers(OperatorPort::customizeContext);
  }

  private static void customizeContext(Context context) {
    if (context.getParent() instanceof StandardHost host) {
      host.setErrorReportValveClass("");
      host.getPipeline().addValve(new RefusalValve());
    }
  }

  /** After everybody who adds a valve, so as to stand before all of them. */
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
