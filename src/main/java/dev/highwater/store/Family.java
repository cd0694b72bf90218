package dev.highwater.store;

/**
 * The column families, in the order in which they are created: the ordinal is the id RocksDB knows
 * them by. Only append.
 */
public enum Family {
  DEFAULT("default"),
  HOOKS("hooks"),
  DELIVERIES("deliveries"),
  INDEX("index"),
  QUARANTINE("quarantine");

  private final String label;

  Family(String label) {
    this.label = label;
  }

  /** The name in RocksDB. */
  public String label() {
    return label;
  }
}
