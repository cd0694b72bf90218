package dev.highwater.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
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
      Refusal.NOT_FROM_HERE.writeTo(response);
    } else if (!isLoopbackName(request.getHeader("Host"))) {
      Refusal.HOST.writeTo(response);
    } else if (!isSameOrigin(request)) {
      Refusal.ORIGIN.writeTo(response);
    } else {
      chain.doFilter(request, response);
    }
  }

  private boolean isOpen(HttpServletRequest request) {
    String path = request.getRequestURI().substring(request.getContextPath().length());
    return PLAIN_PATH.matcher(path).matches()
        && open.stream().anyMatch(known -> path.equals(known) || path.startsWith(known + "/"));
  }

  /** Both: the connection came from here, and so did whom the server takes for the caller. */
  private static boolean isFromHere(HttpServletRequest request) {
    return CallerValve.isDirect(request) && CallerValve.isLoopbackAddress(request.getRemoteAddr());
  }

  private static boolean isLoopbackName(@Nullable String host) {
    return host != null && LOOPBACK_HOST.matcher(host).matches();
  }

  private static boolean isSameOrigin(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    String own = request.getScheme() + "://" + request.getHeader("Host");
    return origin == null || origin.toLowerCase(Locale.ROOT).equals(own.toLowerCase(Locale.ROOT));
  }
}
