package dev.highwater;

import static org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form.ORIGINAL;
import static org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form.UNIFORM;

import dev.highwater.SettingNames.Miss;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses a start with a name under {@code highwater} that is no setting. A misspelt limit would
 * otherwise be a limit that is silently not there.
 *
 * <p>Runs before any bean exists, so nothing has been opened when it refuses.
 *
 * <p>Two kinds of environment variables begin with {@code HIGHWATER_} and are left alone, because
 * they are not the user's attempt at a setting: those that Kubernetes puts into every pod beside a
 * service called {@code highwater…} ({@code HIGHWATER_PORT=tcp://10.0.0.1:8080}, {@code
 * HIGHWATER_SERVICE_HOST}), and those that some setting refers to as <code>${HIGHWATER_…}</code>.
 */
final class SettingsCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  private static final ConfigurationPropertyName ROOT =
      ConfigurationPropertyName.of(KnownSettings.ROOT);
  private static final String VARIABLE = "HIGHWATER_";
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{\\s*(HIGHWATER_\\w+)");
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "HIGHWATER_(?:\\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\\w+)?"
              + "|PORT_\\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)");
  private static final Pattern SERVICE_LINK_ADDRESS = Pattern.compile("(?:tcp|udp|sctp)://.*");

  /** Called by Spring, before the beans are defined. */
  @Override
  public void initialize(ConfigurableApplicationContext context) {
    ClassLoader loader = Highwater.class.getClassLoader();
    List<String> unknown = unknown(context.getEnvironment(), KnownSettings.load(loader));
    if (!unknown.isEmpty()) {
      throw new SettingsException(
          unknown.size() == 1
              ? unknown.getFirst()
              : unknown.getFirst() + " (and " + (unknown.size() - 1) + " more like it)");
    }
  }

  /** One sentence for each name that is no setting, those that win over others first. */
  static List<String> unknown(ConfigurableEnvironment environment, SettingNames known) {
    Set<String> referenced = references(environment);
    Map<String, String> unknown = new LinkedHashMap<>();
    for (var source : ConfigurationPropertySources.get(environment)) {
      if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource variables) {
        for (String name : new TreeSet<>(List.of(variables.getPropertyNames()))) {
          String problem = referenced.contains(name) ? null : variable(name, variables, known);
          if (problem != null) {
            unknown.putIfAbsent(name, problem);
          }
        }
      } else if (source instanceof IterableConfigurationPropertySource names) {
        names.stream()
            .filter(ROOT::isAncestorOf)
            .sorted()
            .forEach(
                name -> {
                  String problem = property(name, names.getConfigurationProperty(name), known);
                  if (problem != null) {
                    unknown.putIfAbsent(name.toString(), problem);
                  }
                });
      }
    }
    return new ArrayList<>(unknown.values());
  }

  private static @Nullable String property(
      ConfigurationPropertyName name,
      @Nullable ConfigurationProperty property,
      SettingNames known) {
    List<String> parts =
        IntStream.range(1, name.getNumberOfElements())
            .mapToObj(i -> name.getElement(i, name.isNumericIndex(i) ? UNIFORM : ORIGINAL))
            .toList();
    Miss miss = known.miss(KnownSettings.ROOT, parts, false);
    return miss == null
        ? null
        : name
            + SettingOrigin.inParentheses(property == null ? null : property.getOrigin())
            + " is not a setting"
            + (miss.suggestion() == null ? "" : ", did you mean " + miss.suggestion() + "?");
  }

  private static @Nullable String variable(
      String name, SystemEnvironmentPropertySource variables, SettingNames known) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (!upper.startsWith(VARIABLE) || isServiceLink(name, variables.getProperty(name))) {
      return null;
    }
    List<String> parts =
        Stream.of(upper.substring(VARIABLE.length()).toLowerCase(Locale.ROOT).split("_"))
            .filter(part -> !part.isEmpty())
            .toList();
    Miss miss = known.miss(KnownSettings.ROOT, parts, true);
    return miss == null
        ? null
        : "environment variable "
            + name
            + " is not a setting"
            + (miss.suggestion() == null
                ? ""
                : ", did you mean " + asVariable(miss.suggestion()) + "?");
  }

  private static boolean isServiceLink(String name, @Nullable Object value) {
    return SERVICE_LINK.matcher(name).matches()
        || (name.endsWith("_PORT")
            && SERVICE_LINK_ADDRESS.matcher(String.valueOf(value)).matches());
  }

  private static String asVariable(String name) {
    return name.replace("-", "")
        .replaceAll("[.\\[]", "_")
        .replace("]", "")
        .toUpperCase(Locale.ROOT);
  }

  /** The variables that settings refer to. */
  private static Set<String> references(ConfigurableEnvironment environment) {
    Set<String> names = new TreeSet<>();
    environment.getPropertySources().stream()
        .filter(source -> !(source instanceof SystemEnvironmentPropertySource))
        .filter(EnumerablePropertySource.class::isInstance)
        .map(EnumerablePropertySource.class::cast)
        .forEach(
            source -> {
              for (String name : source.getPropertyNames()) {
                if (source.getProperty(name) instanceof CharSequence value) {
                  REFERENCE.matcher(value).results().forEach(found -> names.add(found.group(1)));
                }
              }
            });
    return names;
  }
}
