package dev.highwater;

import java.util.SplittableRandom;

/**
 * How long the tests that break things go on. They have a quick form, which every build runs, and a
 * long one: {@code ./mvnw -Pendurance verify}.
 */
public final class Endurance {
  private Endurance() {}

  /** Whether the long form runs. */
  public static boolean isLong() {
    return Boolean.getBoolean("endurance");
  }

  /** The number of the form that runs. */
  public static int rounds(int quick, int endurance) {
    return isLong() ? endurance : quick;
  }

  /** The seed of a test: another in each run, printed, and given again with that property. */
  public static long seed(Class<?> test) {
    String property = test.getSimpleName() + ".seed";
    long seed = Long.getLong(property, new SplittableRandom().nextLong());
    System.out.println(
        test.getSimpleName()
            + ": "
            + (isLong() ? "long" : "quick")
            + ", -D"
            + property
            + "="
            + seed);
    return seed;
  }
}
