package dev.highwater.signature;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The providers that are known by name. Each is a row of data, in the file of its family. */
public final class Presets {
  private static final Map<String, Preset> BY_TYPE = new TreeMap<>();

  static {
    Stream.of(
            GeneralPresets.all(),
            CommercePresets.all(),
            MessagingPresets.all(),
            WorkplacePresets.all())
        .flatMap(List::stream)
        .forEach(preset -> BY_TYPE.put(preset.type(), preset));
  }

  private Presets() {}

  /** The preset of that name, or null. */
  public static @Nullable Preset of(String type) {
    return BY_TYPE.get(type);
  }

  /** The names of all, sorted. */
  public static List<String> types() {
    return new ArrayList<>(BY_TYPE.keySet());
  }
}
