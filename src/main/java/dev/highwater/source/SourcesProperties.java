package dev.highwater.source;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * The sources as they are written in the configuration. It is read with {@link #bind} and is no
 * bean: it holds secrets, and beans of this kind are listed by an actuator endpoint.
 *
 * @param sources the sources of the tenant {@code default}, by name
 * @param tenants the other tenants, by name
 */
@ConfigurationProperties("highwater")
public record SourcesProperties(
    @DefaultValue Map<String, SourceProperties> sources,
    @DefaultValue Map<String, TenantProperties> tenants) {

  /**
   * One tenant.
   *
   * @param rateLimit how much all its sources take together
   * @param sources its sources, by name
   */
  public record TenantProperties(
      @Nullable RateLimitProperties rateLimit,
      @DefaultValue Map<String, SourceProperties> sources) {}

  /**
   * Reads {@code highwater.sources} and {@code highwater.tenants}.
   *
   * @throws SourceConfigurationException if a key is unknown or a value is not of its kind
   */
  public static SourcesProperties bind(Environment environment) {
    return new SourcesBinder(environment).bind();
  }
}
