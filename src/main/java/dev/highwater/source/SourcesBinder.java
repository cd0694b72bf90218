package dev.highwater.source;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Reads the sources from the environment, strictly, and turns what the binder says into one line.
 * The values of keys that may hold secrets are not repeated.
 */
final class SourcesBinder {
  private final Environment environment;

  SourcesBinder(Environment environment) {
    this.environment = environment;
  }

  SourcesProperties bind() {
    return new SourcesProperties(
        bind("highwater.sources", SourceProperties.class),
        bind("highwater.tenants", SourcesProperties.TenantProperties.class));
  }

  private <T> Map<String, T> bind(String prefix, Class<T> type) {
    // As Boot does for its own strict properties: variables and -D options that happen to be there
    // are not unknown keys.
    BindHandler strict =
        new NoUnboundElementsBindHandler(new WholeSecrets(), new UnboundElementsSourceFilter());
    try {
      return Binder.get(environment)
          .bind(prefix, Bindable.mapOf(String.class, type), strict)
          .orElse(Map.of());
    } catch (BindException e) {
      if (e.getCause() instanceof SourceConfigurationException alreadyOneLine) {
        throw alreadyOneLine;
      }
      throw explained(e);
    }
  }

  /**
   * Refuses a list of secrets that is written as one text with commas. The binder would take it
   * apart, and where the comma was part of a secret each half of it would verify hooks.
   */
  private static final class WholeSecrets implements BindHandler {
    @Override
    public Object onSuccess(
        ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
      ConfigurationProperty property = context.getConfigurationProperty();
      if (property != null
          && property.getName().equals(name)
          && name.getLastElement(Form.UNIFORM).equals("secrets")
          && result instanceof Collection<?> parts
          && parts.size() > 1) {
        throw new SourceConfigurationException(
            name.toString(), "has a comma; write a list, each secret with an index: [0], [1]");
      }
      return result;
    }
  }

  /**
   * Without a cause: those of the binder hold the value, and Boot would print theirs instead of
   * ours.
   */
  private SourceConfigurationException explained(BindException e) {
    if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
      for (ConfigurationProperty property : unbound.getUnboundProperties()) {
        SourceConfigurationException split = splitList(property);
        if (split != null) {
          return split;
        }
      }
      TreeSet<String> names =
          unbound.getUnboundProperties().stream()
              .map(property -> property.getName().toString())
              .collect(Collectors.toCollection(TreeSet::new));
      return new SourceConfigurationException(
          String.join(", ", names), "is not a known key here; see docs/sources.md");
    }
    ConfigurationProperty property = e.getProperty();
    String key = (property == null ? e.getName() : property.getName()).toString();
    String expected = expected(e.getTarget().getType().resolve(Object.class));
    if (property == null || expected == null) {
      return new SourceConfigurationException(
          key, "must be of another kind: a text, a list or a map");
    }
    return new SourceConfigurationException(
        key, "\"" + property.getValue() + "\" is wrong: must be " + expected);
  }

  /**
   * A list is bound from the first place that has any of it, and what other places say of it is
   * left over. Null where that is not why the property was not bound.
   */
  private @Nullable SourceConfigurationException splitList(ConfigurationProperty leftOver) {
    ConfigurationPropertyName name = leftOver.getName();
    for (int i = 1; i < name.getNumberOfElements(); i++) {
      if (name.isNumericIndex(i)) {
        ConfigurationPropertyName list = name.chop(i);
        ConfigurationProperty taken = hiding(list, name);
        if (taken != null) {
          return new SourceConfigurationException(
              list.toString(),
              "is written in two places, and a list is taken from one of them as a whole: here "
                  + written(taken)
                  + " hides "
                  + written(leftOver)
                  + "; write the whole list in one place, see docs/sources.md");
        }
      }
    }
    return null;
  }

  /** What the winning place says of a list; null if the name stands there too. */
  private @Nullable ConfigurationProperty hiding(
      ConfigurationPropertyName list, ConfigurationPropertyName name) {
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (source instanceof IterableConfigurationPropertySource names) {
        Optional<ConfigurationPropertyName> found =
            names.stream().filter(list::isAncestorOf).sorted().findFirst();
        if (found.isPresent()) {
          return names.getConfigurationProperty(name) == null
              ? names.getConfigurationProperty(found.get())
              : null;
        }
      }
    }
    return null;
  }

  /** The name and the place, never the value. */
  private static String written(ConfigurationProperty property) {
    Origin origin = property.getOrigin();
    return property.getName() + (origin == null ? "" : " (" + origin + ")");
  }

  /** What would be right; null for what may hold a secret, of which no value is repeated. */
  private static @Nullable String expected(Class<?> type) {
    if (type == Duration.class) {
      return "a time such as 300s, 5m or 72h";
    }
    if (type == DataSize.class) {
      return "a size such as 512KB or 8MB";
    }
    if (type == int.class || type == Integer.class) {
      return "a whole number";
    }
    return type == DedupeProperties.class ? DedupeProperties.EXPECTED : null;
  }
}
