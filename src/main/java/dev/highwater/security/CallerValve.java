package dev.highwater.security;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Set;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Sees who calls before anybody else touches the request. With {@code
 * server.forward-headers-strategy} the server or the framework replaces the address of the caller
 * by what a header says and takes the header away; whoever looks later sees a caller on this
 * machine where there was only somebody who wrote so.
 */
final class CallerValve extends ValveBase {
  private static final String DIRECT = "dev.highwater.security.direct";

  /** Headers by which a proxy says that it passed something on; also all of {@code X-Forwarded}. */
  private static final Set<String> PASSED_ON = Set.of("forwarded", "via", "x-real-ip");

  CallerValve() {
    super(true);
  }

  /** Whether the connection itself came from this machine and no proxy says that it is one. */
  static boolean isDirect(ServletRequest request) {
    return Boolean.TRUE.equals(request.getAttribute(DIRECT));
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    remember(request, isDirect(request.getPeerAddr(), request.getHeaderNames()));
    getNext().invoke(request, response);
  }

  static void remember(ServletRequest request, boolean direct) {
    request.setAttribute(DIRECT, direct);
  }

  static boolean isDirect(String peer, Enumeration<String> headers) {
    while (headers.hasMoreElements()) {
      String name = headers.nextElement().toLowerCase(Locale.ROOT);
      if (PASSED_ON.contains(name) || name.startsWith("x-forwarded")) {
        return false;
      }
    }
    return isLoopbackAddress(peer);
  }

  static boolean isLoopbackAddress(String address) {
    try {
      return InetAddress.ofLiteral(address).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      // Not an address, so not one of this machine.
      return false;
    }
  }
}
