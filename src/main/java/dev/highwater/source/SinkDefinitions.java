package dev.highwater.source;

import dev.highwater.hook.SourceRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The sinks of a source, as configured. What their own keys mean is not known here. */
final class SinkDefinitions {
  private static final int MOST = 64;

  /** The binder writes {@code secrets[0]} as {@code secrets.0} when a map takes any key. */
  private static final Pattern INDEX = Pattern.compile("\\.(\\d+)(?=\\.|$)");

  /** Settings that are secrets whatever the type: they may be a file, and may not be empty. */
  private static final Pattern SECRET =
      Pattern.compile("(.*\\.)?(secret|secrets\\[\\d+]|password|token)");

  private final boolean allowLogOnly;

  SinkDefinitions(boolean allowLogOnly) {
    this.allowLogOnly = allowLogOnly;
  }

  /**
   * The sinks.
   *
   * @param key the full key of the list
   * @throws SourceConfigurationException at the first mistake
   */
  List<SinkDefinition> of(String key, List<Map<String, String>> configured) {
    if (configured.isEmpty() || configured.size() > MOST) {
      throw new SourceConfigurationException(
          key, "a source needs 1 to " + MOST + " sinks, not " + configured.size());
    }
    List<SinkDefinition> sinks = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < configured.size(); i++) {
      String sinkKey = key + "[" + i + "]";
      SinkDefinition sink = sink(sinkKey, configured.get(i));
      if (!names.add(sink.name())) {
        throw new SourceConfigurationException(
            sinkKey + ".name", "\"" + sink.name() + "\" is the name of another sink here");
      }
      sinks.add(sink);
    }
    if (!allowLogOnly && sinks.stream().allMatch(sink -> sink.type().equals("log"))) {
      throw new SourceConfigurationException(
          key,
          "a log sink delivers nowhere; add another sink, or start with the profile demo to try"
              + " things out");
    }
    return List.copyOf(sinks);
  }

  private static SinkDefinition sink(String key, Map<String, String> configured) {
    Map<String, String> settings = new TreeMap<>();
    configured.forEach(
        (name, value) -> {
          String setting = INDEX.matcher(name).replaceAll("[$1]");
          String settingKey = key + "." + setting;
          if (SECRET.matcher(setting).matches()) {
            settings.put(setting, SecretReader.read(settingKey, value));
          } else {
            SecretReader.requireResolved(settingKey, value);
            settings.put(setting, value);
          }
        });
    String name = name(key + ".name", settings.remove("name"));
    String type = name(key + ".type", settings.remove("type"));
    return new SinkDefinition(name, type, Map.copyOf(settings));
  }

  private static String name(String key, @Nullable String text) {
    if (text == null || text.isEmpty()) {
      throw new SourceConfigurationException(key, "is missing");
    }
    if (!SourceRef.isName(text)) {
      throw new SourceConfigurationException(key, "\"" + text + "\" is wrong: " + SourceRef.RULE);
    }
    return text;
  }
}
