package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/faults.md says is shown by a test is shown by one that exists. */
class FaultsPageTest {
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+(?:Test|IT))#(\\w+)`");

  @Test
  void everyTestThatThePageNamesExists() throws Exception {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
            .importPackages("dev.highwater");
    Set<String> tests = new HashSet<>();
    for (JavaClass test : classes) {
      test.getMethods().stream()
          .filter(method -> method.getAnnotations().stream().anyMatch(FaultsPageTest::isATest))
          .forEach(method -> tests.add(test.getSimpleName() + "#" + method.getName()));
    }
    List<String> named =
        NAMED
            .matcher(Files.readString(Path.of("docs/faults.md")))
            .results()
            .map(found -> found.group(1) + "#" + found.group(2))
            .toList();

    assertThat(named).hasSizeGreaterThan(20);
    assertThat(tests).containsAll(named);
  }

  private static boolean isATest(JavaAnnotation<?> annotation) {
    return Set.of("Test", "ParameterizedTest", "RepeatedTest")
        .contains(annotation.getRawType().getSimpleName());
  }
}
