package benchmark.server;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/** Row a0: Tomcat and one servlet, with the settings of {@code application.yml}. */
public final class BareServlet extends HttpServlet {
  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    request.getInputStream().readAllBytes();
    Answer.send(response);
  }

  /** Argument: the port. */
  public static void main(String[] args) throws Exception {
    var tomcat = new Tomcat();
    tomcat.setBaseDir(Path.of("tomcat").toAbsolutePath().toString());
    tomcat.setPort(Integer.parseInt(args[0]));
    var context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "hooks", new BareServlet());
    context.addServletMapping("/webhooks/*", "hooks");
    var connector = tomcat.getConnector();
    connector.setProperty("acceptCount", "1024");
    connector.setProperty("maxConnections", "8192");
    connector.setProperty("maxKeepAliveRequests", "-1");
    connector.setProperty("connectionTimeout", "20000");
    connector.setProperty("keepAliveTimeout", "60000");
    connector.setProperty("maxHttpRequestHeaderSize", "16384");
    ((AbstractProtocol<?>) connector.getProtocolHandler())
        .setExecutor(new VirtualThreadExecutor("request-"));
    tomcat.start();
    tomcat.getServer().await();
  }
}
