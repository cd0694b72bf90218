package dev.highwater.store;

import java.nio.file.Path;

/** A process that opens a store, says so, and keeps it open until its input ends. */
final class StoreHolder {
  private StoreHolder() {}

  public static void main(String[] arguments) throws Exception {
    var engine = RocksEngine.factory(TestStores.settings(Path.of(arguments[0]))).open();
    System.out.println("open");
    int input = System.in.read();
    engine.close();
    System.out.println("closed after " + input);
  }
}
