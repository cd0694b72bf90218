package dev.highwater.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;

/**
 * Stands in front of everything on the operator port. There are no credentials yet, so being on the
 * machine is what counts, and three things must hold of a request for anything but health:
 *
 * <ul>
 *   <li>it comes from a loopback address and no proxy says that it passed it on; else 401;
 *   <li>its {@code Host} is a loopback name. A page whose own name was made to resolve to 127.0.0.1
 *       (DNS rebinding) runs in a browser on this machine, and its requests do come from here; else
 *       403;
 *   <li>an {@code Origin}, if there is one, is the same scheme, host and port; else 403.
 * </ul>
 *
 * <p>The rules do not depend on the address the port listens on, so a wrong address opens nothing.
 */
final class OperatorDoor extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private static final EndpointId HEALTH = EndpointId.of("health");
  private static final Pattern LOOPBACK_HOST =
      Pattern.compile(
          "(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1])(?::[0-9]{1,5})?",
          Pattern.CASE_INSENSITIVE);

  /** In such a path there is nothing to decode or to normalize, so every layer reads it alike. */
  private static final Pattern PLAIN_PATH = Pattern.compile("(?:/[A-Za-z0-9_-]+)+");

  private static final List<String> PASSED_ON = List.of("Forwarded", "X-Forwarded-For");

  private final ArrayList<String> open;

  /**
   * @param open paths that answer everyone, with all that is below them
   */
  OperatorDoor(List<String> open) {
    this.open = new ArrayList<>(open);
  }

  /** Lets everyone to the health endpoint and its short paths, wherever they are mapped. */
  static OperatorDoor inFrontOf(PathMappedEndpoints endpoints) {
    List<String> open =
        new ArrayList<>(endpoints.getAdditionalPaths(WebServerNamespace.MANAGEMENT, HEALTH));
    String health = endpoints.getPath(HEALTH);
    if (health != null) {
      open.add(health);
    }
    return new OperatorDoor(open);
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (isOpen(request)) {
      chain.doFilter(request, response);
    } else if (!isFromHere(request)) {
      response.setHeader("WWW-Authenticate", "Bearer");
      refuse(
          response,
          HttpServletResponse.SC_UNAUTHORIZED,
          "unauthorized",
          "Credentials are needed.",
          "None are configured, so only callers on the same machine are answered.");
    } else if (!isLoopbackName(request.getHeader("Host"))) {
      refuse(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "forbidden_host",
          "This Host is not answered.",
          "Without credentials it must be localhost or a loopback address.");
    } else if (!isSameOrigin(request)) {
      refuse(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "forbidden_origin",
          "This Origin is not answered.",
          "Pages of other origins may not call the operator port.");
    } else {
      chain.doFilter(request, response);
    }
  }

  private boolean isOpen(HttpServletRequest request) {
    String path = request.getRequestURI().substring(request.getContextPath().length());
    return PLAIN_PATH.matcher(path).matches()
        && open.stream().anyMatch(known -> path.equals(known) || path.startsWith(known + "/"));
  }

  private static boolean isFromHere(HttpServletRequest request) {
    return PASSED_ON.stream().allMatch(name -> request.getHeader(name) == null)
        && isLoopbackAddress(request.getRemoteAddr());
  }

  private static boolean isLoopbackAddress(String address) {
    try {
      return InetAddress.ofLiteral(address).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      // Not an address, so not one of this machine.
      return false;
    }
  }

  private static boolean isLoopbackName(@Nullable String host) {
    return host != null && LOOPBACK_HOST.matcher(host).matches();
  }

  private static boolean isSameOrigin(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    String own = request.getScheme() + "://" + request.getHeader("Host");
    return origin == null || origin.toLowerCase(Locale.ROOT).equals(own.toLowerCase(Locale.ROOT));
  }

  /** Nothing in the texts needs escaping, and nothing of the request is in them. */
  private static void refuse(
      HttpServletResponse response, int status, String code, String title, String detail)
      throws IOException {
    response.setStatus(status);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentType("application/problem+json");
    String document =
        """
        {"type":"urn:highwater:problem:%s","title":"%s","status":%d,"code":"%s","detail":"%s"}"""
            .formatted(code, title, status, code, detail);
    response.setContentLength(document.length());
    response.getOutputStream().print(document);
  }
}
