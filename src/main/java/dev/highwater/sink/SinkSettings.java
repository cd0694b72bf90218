package dev.highwater.sink;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

/**
 * Turns the flat settings of a sink into the record of its transport, with the rules that hold for
 * the rest of the configuration: durations as {@code 30s}, sizes as {@code 64KB}, lists as {@code
 * key[0]}, maps as {@code key.name}.
 *
 * <p>What is wrong is told in one line that begins with the key. It never holds a value, since the
 * value may be a secret (G12); for the same reason no cause is attached.
 */
public final class SinkSettings {
  private static final String ROOT = "sink";

  /** Where a name has other characters, it must stand in brackets. */
  private static final Pattern KEY =
      Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+|\\[[^\\[\\]]+])*");

  private SinkSettings() {}

  /**
   * Binds {@code settings} to {@code type}.
   *
   * @param type a record that is not private, whose constructor refuses nonsense with an {@link
   *     IllegalArgumentException} that begins with the key; {@code @DefaultValue} gives defaults
   * @param settings keys dotted and indexed as in a properties file
   * @throws IllegalArgumentException if a key is unknown, missing or wrong
   */
  public static <T extends Record> T bind(Class<T> type, Map<String, String> settings) {
    Map<String, String> rooted = new HashMap<>();
    settings.forEach(
        (key, value) -> {
          checkKnown(type, key);
          if (value.contains("${")) {
            throw new IllegalArgumentException(key + " holds a placeholder that was not resolved");
          }
          rooted.put(ROOT + "." + key, value);
        });
    try {
      return new Binder(new MapConfigurationPropertySource(rooted))
          .bindOrCreate(
              ROOT, Bindable.of(type), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
    } catch (BindException e) {
      throw new IllegalArgumentException(whatIsWrong(e));
    }
  }

  private static void checkKnown(Class<? extends Record> type, String key) {
    String first = key.split("[.\\[]", 2)[0];
    boolean known =
        Arrays.stream(type.getRecordComponents())
            .anyMatch(component -> uniform(component.getName()).equals(uniform(first)));
    if (!known || !KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          key + " is not a setting of this type of sink; " + knownSettings(type));
    }
  }

  private static String knownSettings(Class<? extends Record> type) {
    RecordComponent[] components = type.getRecordComponents();
    if (components.length == 0) {
      return "it has none";
    }
    return Arrays.stream(components)
        .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
        .sorted()
        .collect(Collectors.joining(", ", "there are ", ""));
  }

  /** {@code max-connections}, {@code maxConnections} and {@code MAX_CONNECTIONS} are one name. */
  private static String uniform(String name) {
    return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
  }

  private static String whatIsWrong(BindException e) {
    String key = withoutRoot(e.getName());
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof UnboundConfigurationPropertiesException unbound) {
        return unbound.getUnboundProperties().stream()
            .map(property -> withoutRoot(property.getName()))
            .sorted()
            .collect(Collectors.joining(", ", "", " means nothing here"));
      }
      // The constructor of the record speaks for the whole of it; whatever else fails while one
      // value is converted quotes that value.
      if (key.isEmpty() && cause.getClass() == IllegalArgumentException.class) {
        String message = cause.getMessage();
        return message == null ? "the settings are wrong" : message;
      }
    }
    return key + " is not " + nounOf(e.getTarget().getType().resolve());
  }

  private static String withoutRoot(ConfigurationPropertyName name) {
    return name.equals(ConfigurationPropertyName.of(ROOT))
        ? ""
        : name.toString().substring(ROOT.length() + 1);
  }

  private static String nounOf(@Nullable Class<?> type) {
    if (type == Duration.class) {
      return "a duration such as 500ms, 30s or 2m";
    }
    if (type == DataSize.class) {
      return "a size such as 64KB or 8MB";
    }
    if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
      return "a whole number";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type != null && type.isEnum()) {
      return "one of "
          + Arrays.stream(type.getEnumConstants())
              .map(constant -> ((Enum<?>) constant).name())
              .map(name -> name.toLowerCase(Locale.ROOT).replace('_', '-'))
              .collect(Collectors.joining(", "));
    }
    return "of the right kind";
  }
}
