package dev.highwater;

import dev.highwater.SettingNames.Indexed;
import dev.highwater.SettingNames.Keyed;
import dev.highwater.SettingNames.Leaf;
import dev.highwater.SettingNames.Open;
import dev.highwater.SettingNames.Section;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;

/**
 * Every name there is under {@code highwater}.
 *
 * <p>The rooms declare their settings as records; the compiler leaves a list of those records in
 * {@code META-INF/spring-configuration-metadata.json}. From there on the names are read off the
 * records themselves, through maps and lists, because the list stops at them. A room that binds by
 * hand names its prefix in {@code additional-spring-configuration-metadata.json}, and is left to
 * refuse what it does not know below it.
 */
final class KnownSettings {
  static final String ROOT = "highwater";
  private static final String METADATA = "META-INF/spring-configuration-metadata.json";

  private KnownSettings() {}

  /** Reads the lists of every jar; the tree is complete and nobody changes it afterwards. */
  static SettingNames load(ClassLoader loader) {
    var root = new Section();
    try {
      var files = loader.getResources(METADATA);
      while (files.hasMoreElements()) {
        try (var in = files.nextElement().openStream()) {
          String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
          if (json.contains('"' + ROOT)) {
            read(JsonParserFactory.getJsonParser().parseMap(json), root, loader);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + METADATA, e);
    }
    return root;
  }

  private static void read(Map<String, Object> metadata, Section root, ClassLoader loader) {
    for (Map<?, ?> group : entries(metadata, "groups")) {
      Class<?> type = typeOf(group, loader);
      Section section = sectionAt(root, parts(group));
      if (section != null && type != null && type.isRecord()) {
        fill(section, type, new HashSet<>());
      }
    }
    for (Map<?, ?> property : entries(metadata, "properties")) {
      List<String> parts = parts(property);
      Class<?> type = typeOf(property, loader);
      Section section =
          parts.isEmpty() ? null : sectionAt(root, parts.subList(0, parts.size() - 1));
      if (section != null) {
        section.add(parts.getLast(), type == null ? Open.OPEN : nodeOf(type, new HashSet<>()));
      }
    }
  }

  /** The section of that name, made if need be; null inside a map or list, which a record knows. */
  private static @Nullable Section sectionAt(Section root, List<String> parts) {
    Section section = root;
    for (String part : parts) {
      section.add(part, new Section());
      if (!(section.child(part) instanceof Section next)) {
        return null;
      }
      section = next;
    }
    return section;
  }

  private static List<Map<?, ?>> entries(Map<String, Object> metadata, String list) {
    return metadata.get(list) instanceof List<?> entries
        ? entries.stream()
            .<Map<?, ?>>mapMulti(
                (entry, out) -> {
                  if (entry instanceof Map<?, ?> map
                      && (map.get("name") + ".").startsWith(ROOT + ".")) {
                    out.accept(map);
                  }
                })
            .toList()
        : List.of();
  }

  /** The parts of the entry's name after the root. */
  private static List<String> parts(Map<?, ?> entry) {
    return Stream.of(String.valueOf(entry.get("name")).split("\\.")).skip(1).toList();
  }

  private static @Nullable Class<?> typeOf(Map<?, ?> entry, ClassLoader loader) {
    String name = String.valueOf(entry.get("type"));
    return name.contains("<") || !ClassUtils.isPresent(name, loader)
        ? null
        : ClassUtils.resolveClassName(name, loader);
  }

  private static void fill(Section section, Class<?> type, Set<Class<?>> above) {
    above.add(type);
    for (RecordComponent component : type.getRecordComponents()) {
      section.add(nameOf(type, component), nodeOf(component.getGenericType(), above));
    }
    above.remove(type);
  }

  private static String nameOf(Class<?> type, RecordComponent component) {
    try {
      // the annotation does not apply to components; the compiler copies it to the field
      Name name = type.getDeclaredField(component.getName()).getAnnotation(Name.class);
      return name != null ? name.value() : DataObjectPropertyName.toDashedForm(component.getName());
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("a record without the field of its component", e);
    }
  }

  private static SettingNames nodeOf(Type type, Set<Class<?>> above) {
    return switch (type) {
      case ParameterizedType generic when generic.getRawType() instanceof Class<?> raw -> {
        Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
        if (Map.class.isAssignableFrom(raw)) {
          // a key of plain values may itself have dots
          SettingNames value = nodeOf(last, above);
          yield value == Leaf.LEAF ? Open.OPEN : new Keyed(value);
        }
        yield Collection.class.isAssignableFrom(raw) ? new Indexed(nodeOf(last, above)) : Leaf.LEAF;
      }
      case Class<?> array when array.isArray() ->
          new Indexed(nodeOf(array.getComponentType(), above));
      case Class<?> record when record.isRecord() && !above.contains(record) -> {
        var section = new Section();
        fill(section, record, above);
        yield section;
      }
      case Class<?> plain when plain.isPrimitive() || plain.isEnum() -> Leaf.LEAF;
      case Class<?> library
          when library != Object.class
              && !Map.class.isAssignableFrom(library)
              && !Collection.class.isAssignableFrom(library)
              && !library.getName().startsWith("dev.highwater.") ->
          Leaf.LEAF;
      default -> Open.OPEN;
    };
  }
}
