import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks or writes the format of every Java file under {@code src}. Run by Maven in the JDK the
 * project is built with: a formatter inside Maven's own JVM fails on newer syntax when that JVM is
 * older.
 */
public final class Format {
  public static void main(String[] args) throws IOException {
    boolean write = args.length == 1 && args[0].equals("write");
    var formatter = new Formatter(JavaFormatterOptions.defaultOptions());
    List<Path> files;
    try (var walk = Files.walk(Path.of("src"))) {
      files = walk.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
    List<String> wrong = new ArrayList<>();
    for (Path file : files) {
      String text = Files.readString(file);
      try {
        String ordered =
            RemoveUnusedImports.removeUnusedImports(
                ImportOrderer.reorderImports(text, JavaFormatterOptions.Style.GOOGLE));
        String formatted = formatter.formatSource(ordered);
        if (!formatted.equals(text)) {
          wrong.add(file.toString());
          if (write) {
            Files.writeString(file, formatted);
          }
        }
      } catch (FormatterException e) {
        System.err.println(file + ": " + e.getMessage());
        System.exit(1);
      }
    }
    if (!write && !wrong.isEmpty()) {
      System.err.println(
          "Not formatted (run ./mvnw -q -Pformat process-sources): " + String.join(", ", wrong));
      System.exit(1);
    }
  }
}
