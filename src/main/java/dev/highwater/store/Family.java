package dev.highwater.store;

import java.nio.charset.StandardCharsets;

/**
 * The column families. RocksDB numbers them in the order in which they were created, and a batch
 * names them by that number, so: only append, never reorder.
 */
public enum Family {
  DEFAULT(0, "default"),
  HOOKS(1, "hooks"),
  DELIVERIES(2, "deliveries"),
  INDEX(3, "index"),
  QUARANTINE(4, "quarantine");

  private static final Family[] BY_ID = values();

  private final int id;
  private final String label;

  Family(int id, String label) {
    this.id = id;
    this.label = label;
  }

  /** The number RocksDB knows it by; checked at every opening. */
  int id() {
    return id;
  }

  /** The name in RocksDB. */
  public String label() {
    return label;
  }

  byte[] labelBytes() {
    return label.getBytes(StandardCharsets.US_ASCII);
  }

  static Family ofId(int id) {
    return BY_ID[id];
  }

  /**
   * The family with that name in RocksDB.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Family ofLabel(String label) {
    for (Family family : BY_ID) {
      if (family.label.equals(label)) {
        return family;
      }
    }
    throw new IllegalArgumentException("there is no column family " + label);
  }
}
