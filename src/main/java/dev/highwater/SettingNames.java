package dev.highwater;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A tree of setting names, and the look-up in it. Names are compared as Spring binds them: without
 * dashes, in lower case.
 */
sealed interface SettingNames {

  /** Nothing may follow. */
  enum Leaf implements SettingNames {
    LEAF
  }

  /** Anything may follow. */
  enum Open implements SettingNames {
    OPEN
  }

  /** One of these names must follow. */
  record Section(Map<String, Named> children) implements SettingNames {
    Section() {
      this(new TreeMap<>());
    }

    void add(String name, SettingNames node) {
      children.merge(
          uniform(name),
          new Named(name, node),
          (old, added) -> old.node == Open.OPEN ? added : merged(old, added));
    }

    @Nullable SettingNames child(String name) {
      Named child = children.get(uniform(name));
      return child == null ? null : child.node;
    }

    private static Named merged(Named old, Named added) {
      if (old.node instanceof Section section && added.node instanceof Section more) {
        more.children.values().forEach(child -> section.add(child.name, child.node));
      }
      return old;
    }
  }

  /** A name as it is written, and what may follow it. */
  record Named(String name, SettingNames node) {}

  /** A name of the user's own choice follows, then the node. */
  record Keyed(SettingNames value) implements SettingNames {}

  /** A number follows, then the node. */
  record Indexed(SettingNames element) implements SettingNames {}

  /**
   * Where a name leaves what is known.
   *
   * @param depth how many of its parts were understood
   * @param suggestion the whole name that was probably meant, in the form of a properties file
   */
  record Miss(int depth, @Nullable String suggestion) {}

  /**
   * Looks a name up.
   *
   * @param parts of the name after the root; numbers stand for themselves
   * @param joinable whether the parts come from an environment variable, where a dash may be
   *     written as an underscore and so split a name in two
   * @param path the name of this node
   * @return where it leaves what is known, or null if it is a setting
   */
  default @Nullable Miss miss(String path, List<String> parts, boolean joinable) {
    return walk(this, parts, 0, path, joinable);
  }

  private static @Nullable Miss walk(
      SettingNames node, List<String> parts, int from, String path, boolean joinable) {
    if (from == parts.size()) {
      return null;
    }
    String part = parts.get(from);
    return switch (node) {
      case Open _ -> null;
      case Leaf _ -> new Miss(from, path);
      case Keyed(SettingNames value) -> walk(value, parts, from + 1, path + '.' + part, joinable);
      case Indexed(SettingNames element) ->
          part.chars().allMatch(Character::isDigit)
              ? walk(element, parts, from + 1, path + '[' + part + ']', joinable)
              : new Miss(from, null);
      case Section section -> walkSection(section, parts, from, path, joinable);
    };
  }

  private static @Nullable Miss walkSection(
      Section section, List<String> parts, int from, String path, boolean joinable) {
    Miss deepest = new Miss(from, nearest(section, parts, from, path, joinable));
    int longest = joinable ? parts.size() : from + 1;
    for (int to = from + 1; to <= longest; to++) {
      Named child = section.children.get(uniform(String.join("", parts.subList(from, to))));
      if (child != null) {
        Miss miss = walk(child.node, parts, to, path + '.' + child.name, joinable);
        if (miss == null) {
          return null;
        }
        if (miss.depth > deepest.depth) {
          deepest = miss;
        }
      }
    }
    return deepest;
  }

  /** The name in the section that is nearest to what was written, if one is near. */
  private static @Nullable String nearest(
      Section section, List<String> parts, int from, String path, boolean joinable) {
    String written =
        uniform(joinable ? String.join("", parts.subList(from, parts.size())) : parts.get(from));
    return section.children.entrySet().stream()
        .filter(
            child -> distance(written, child.getKey()) <= Math.max(2, child.getKey().length() / 3))
        .min(Comparator.comparingInt(child -> distance(written, child.getKey())))
        .map(child -> path + '.' + child.getValue().name)
        .orElse(null);
  }

  /** How many letters must be changed, added, dropped or swapped with their neighbour. */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        cost[i][j] =
            Math.min(
                cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }

  private static String uniform(String name) {
    return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }
}
