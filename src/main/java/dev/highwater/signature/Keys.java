package dev.highwater.signature;

import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one check of a scheme.
 *
 * @param check what they are for
 * @param keys one for each secret that is of this form; may be none
 */
record Keys(Check check, List<PreparedKey> keys) {

  /**
   * The keys of each check.
   *
   * @param usable is set true at the place of each secret that some check can use
   */
  static List<Keys> of(Scheme scheme, List<String> secrets, boolean[] usable) {
    List<Keys> all = new ArrayList<>();
    for (Check check : scheme.checks()) {
      List<PreparedKey> keys = new ArrayList<>();
      for (int i = 0; i < secrets.size(); i++) {
        byte[] bytes = check.secret().decode(secrets.get(i));
        PreparedKey key = bytes == null ? null : prepare(check.algorithm(), bytes);
        if (key != null) {
          keys.add(key);
          usable[i] = true;
        }
      }
      all.add(new Keys(check, List.copyOf(keys)));
    }
    return List.copyOf(all);
  }

  /** Null where it is not a key of this algorithm; it may still be one of another check. */
  private static @Nullable PreparedKey prepare(Algorithm algorithm, byte[] key) {
    try {
      return algorithm.prepare(key);
    } catch (GeneralSecurityException notAKey) {
      return null;
    }
  }

  /** What secrets of these variants look like, for an error message. */
  static String expected(List<Preset.Variant> variants) {
    Set<String> forms = new LinkedHashSet<>();
    for (Preset.Variant variant : variants) {
      for (Check check : variant.scheme().checks()) {
        forms.add(check.secret().expected());
      }
    }
    return String.join("; or ", forms);
  }

  /** Names no key (G12). */
  @Override
  public String toString() {
    return keys.size() + " keys for " + check;
  }
}
