package benchmark.rig;

/** What bench/run starts. */
public final class Benchmark {
  private Benchmark() {}

  /** Arguments: the options of bench/run. */
  public static void main(String[] args) throws Exception {
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("bench/run: " + e.getMessage());
      System.exit(2);
      return;
    }
    switch (options.mode) {
      case MATRIX -> new Matrix(options).run();
      case SCALE -> new Scale(options).run();
      case OVERLOAD -> new Overload(options).run();
    }
  }
}
