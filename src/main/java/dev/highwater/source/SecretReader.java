package dev.highwater.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns what stands in the configuration into a secret: a literal, or {@code file:} and a path. No
 * message repeats what was configured or read (G12).
 */
final class SecretReader {
  private static final String FILE = "file:";
  private static final int LARGEST_FILE = 64 * 1024;

  /** Nothing but one environment variable: its name is no secret, and worth naming. */
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z][A-Z0-9_]*)}");

  private SecretReader() {}

  /**
   * The secret.
   *
   * @param key where it is configured
   * @throws SourceConfigurationException if it is empty, unresolved or not readable
   */
  static String read(String key, String configured) {
    requireResolved(key, configured);
    String secret =
        configured.startsWith(FILE)
            ? readFile(key, configured.substring(FILE.length()))
            : configured;
    if (secret.isBlank()) {
      throw new SourceConfigurationException(key, "is empty; an empty secret verifies anything");
    }
    requireResolved(key, secret);
    return secret;
  }

  /**
   * Refuses a placeholder that nothing was put in for: it would be taken for the value itself.
   *
   * @throws SourceConfigurationException if there is one
   */
  static void requireResolved(String key, String value) {
    Matcher variable = VARIABLE.matcher(value);
    if (variable.matches()) {
      throw new SourceConfigurationException(
          key, "the environment variable " + variable.group(1) + " is not set");
    }
    if (value.contains("${")) {
      throw new SourceConfigurationException(
          key, "has a ${…} that nothing was put in for; set what it names");
    }
  }

  private static String readFile(String key, String path) {
    byte[] bytes;
    try (InputStream file = Files.newInputStream(Path.of(path))) {
      bytes = file.readNBytes(LARGEST_FILE + 1);
    } catch (NoSuchFileException e) {
      throw new SourceConfigurationException(key, "the file it names does not exist");
    } catch (IOException | InvalidPathException e) {
      // Not as a cause: its message is what was configured.
      String kind = e.getClass().getSimpleName();
      throw new SourceConfigurationException(key, "the file it names cannot be read: " + kind);
    }
    if (bytes.length > LARGEST_FILE) {
      throw new SourceConfigurationException(
          key, "the file it names is larger than " + LARGEST_FILE + " bytes");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return withoutNewline(text);
    } catch (CharacterCodingException e) {
      throw new SourceConfigurationException(key, "the file it names is not UTF-8 text", e);
    }
  }

  private static String withoutNewline(String text) {
    if (text.endsWith("\r\n")) {
      return text.substring(0, text.length() - 2);
    }
    return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }
}
