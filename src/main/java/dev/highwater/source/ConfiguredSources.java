package dev.highwater.source;

import dev.highwater.hook.SourceRef;
import dev.highwater.signature.Preset;
import dev.highwater.signature.Presets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sources of the configuration: made once, checked, never changed. */
public final class ConfiguredSources implements SourceDirectory {
  private static final String SOURCES = "highwater.sources";
  private static final String TENANTS = "highwater.tenants";

  private final Map<String, Map<String, Source>> byTenantAndName;
  private final List<Source> all;
  private final List<SourceRef> unverified;

  private ConfiguredSources(Map<String, Map<String, Source>> byTenantAndName) {
    this.byTenantAndName = byTenantAndName;
    this.all =
        byTenantAndName.values().stream()
            .flatMap(sources -> sources.values().stream())
            .sorted(
                Comparator.comparing((Source source) -> source.ref().tenant())
                    .thenComparing(source -> source.ref().name()))
            .toList();
    this.unverified = all.stream().filter(source -> !isVerified(source)).map(Source::ref).toList();
  }

  /**
   * Checks the configuration and reads the secrets.
   *
   * @param allowLogOnly whether a source may have sinks of type {@code log} only; its hooks are
   *     then printed and gone
   * @throws SourceConfigurationException at the first mistake
   */
  public static ConfiguredSources of(SourcesProperties properties, boolean allowLogOnly) {
    SourceFactory factory = new SourceFactory(allowLogOnly);
    Map<String, Map<String, Source>> sources = new HashMap<>();
    SourcesProperties.TenantProperties usual = properties.tenants().get(SourceRef.DEFAULT_TENANT);
    add(
        SOURCES,
        SourceRef.DEFAULT_TENANT,
        properties.sources(),
        usual == null ? null : limitOf(SourceRef.DEFAULT_TENANT, usual),
        factory,
        sources);
    properties
        .tenants()
        .forEach(
            (tenant, of) -> {
              String key = TENANTS + "." + tenant;
              if (!SourceRef.isName(tenant)) {
                throw new SourceConfigurationException(
                    key, "is not a tenant name: " + SourceRef.RULE);
              }
              add(key + ".sources", tenant, of.sources(), limitOf(tenant, of), factory, sources);
            });
    return new ConfiguredSources(sources);
  }

  private static @Nullable RateLimit limitOf(
      String tenant, SourcesProperties.TenantProperties properties) {
    return RateLimitProperties.of(TENANTS + "." + tenant + ".rate-limit", properties.rateLimit());
  }

  private static void add(
      String prefix,
      String tenant,
      Map<String, SourceProperties> configured,
      @Nullable RateLimit ofTenant,
      SourceFactory factory,
      Map<String, Map<String, Source>> to) {
    configured.forEach(
        (name, properties) -> {
          String key = prefix + "." + name;
          if (!SourceRef.isName(name)) {
            throw new SourceConfigurationException(key, "is not a source name: " + SourceRef.RULE);
          }
          Source source = factory.create(key, new SourceRef(tenant, name), properties, ofTenant);
          if (to.computeIfAbsent(tenant, any -> new HashMap<>()).put(name, source) != null) {
            throw new SourceConfigurationException(
                key, "is also under " + SOURCES + ", which is the tenant " + tenant);
          }
        });
  }

  private static boolean isVerified(Source source) {
    Preset preset = Presets.of(source.type());
    return preset == null || preset.verifies(); // what is no preset is custom, and has a scheme
  }

  @Override
  public @Nullable Source find(String tenant, String name) {
    Map<String, Source> sources = byTenantAndName.get(tenant);
    return sources == null ? null : sources.get(name);
  }

  @Override
  public Collection<Source> all() {
    return all;
  }

  /** The sources that check nothing: each is worth a warning at the start. */
  public List<SourceRef> unverified() {
    return unverified;
  }
}
