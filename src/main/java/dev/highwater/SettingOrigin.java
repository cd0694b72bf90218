package dev.highwater;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.SystemEnvironmentOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.io.Resource;

/** Says where a setting was written, in the words of the person who wrote it. */
final class SettingOrigin {
  private SettingOrigin() {}

  /** For example {@code " (application.yml, line 3)"}, or nothing where it is not known. */
  static String inParentheses(@Nullable Origin origin) {
    return origin == null ? "" : " (" + describe(origin) + ")";
  }

  private static String describe(Origin origin) {
    return switch (origin) {
      case TextResourceOrigin text when text.getResource() != null ->
          file(text.getResource())
              + (text.getLocation() == null ? "" : ", line " + (text.getLocation().getLine() + 1));
      case SystemEnvironmentOrigin variable -> "environment variable " + variable.getProperty();
      case PropertySourceOrigin source when source.getOrigin() != null ->
          describe(source.getOrigin());
      case PropertySourceOrigin source ->
          switch (source.getPropertySource().getName()) {
            case "commandLineArgs" -> "command line";
            case "systemProperties" -> "system property";
            default -> source.getPropertySource().getName();
          };
      default -> origin.toString();
    };
  }

  private static String file(Resource resource) {
    try {
      return resource.isFile() ? resource.getFile().toString() : named(resource);
    } catch (IOException e) {
      return named(resource);
    }
  }

  private static String named(Resource resource) {
    String name = resource.getFilename();
    return name == null ? resource.getDescription() : name;
  }
}
