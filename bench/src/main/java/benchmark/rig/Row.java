package benchmark.rig;

import java.util.Locale;

/** What is compared. docs/benchmark.md says what each row is and is not. */
enum Row {
  A0("bare servlet"),
  A("bare Spring MVC handler"),
  B("Highwater, no verification, sink hangs"),
  C("Highwater, GitHub signature and dedupe, sink hangs"),
  D("Highwater, one fsync per group"),
  E("Spring MVC, PostgreSQL row per hook"),
  F("Spring MVC, Redis XADD, appendfsync always"),
  G("Highwater, no verification, delivering"),
  N("Spring MVC, NATS JetStream");

  final String title;

  Row(String title) {
    this.title = title;
  }

  static Row of(String label) {
    for (Row row : values()) {
      if (row.label().equals(label)) {
        return row;
      }
    }
    throw new IllegalArgumentException(
        "there is no row " + label + "; docs/benchmark.md lists them");
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isHighwater() {
    return this == B || this == C || this == D || this == G;
  }

  /** Whether a slower disk could be noticed at all. */
  boolean hasDisk() {
    return this != A0 && this != A;
  }
}
