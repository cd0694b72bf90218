package dev.highwater.ingest;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.Ordered;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;

/**
 * What there is on the public port: hooks, and nothing else. Comes before every annotated
 * controller and every resource the framework or a library may bring along, so none of them can
 * appear there by accident; the health probes, which the actuator maps before this, can.
 */
final class PublicPaths implements HandlerMapping, Ordered {
  private final HandlerExecutionChain hooks;
  private final HandlerExecutionChain nothing;

  PublicPaths(HookController hooks, NothingHere nothing) {
    this.hooks = chainOf(hooks);
    this.nothing = chainOf(nothing);
  }

  /** No interceptors: a chain without them has no state and is shared by all requests. */
  private static HandlerExecutionChain chainOf(HttpRequestHandler handler) {
    return new HandlerExecutionChain(handler);
  }

  @Override
  public HandlerExecutionChain getHandler(HttpServletRequest request) {
    return HookPath.isBelow(request.getRequestURI()) ? hooks : nothing;
  }

  /** Just before annotated controllers, which have 0. */
  @Override
  public int getOrder() {
    return -1;
  }
}
