package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Maven only warns of a profile it does not know, and takes any element inside a plugin's
 * configuration: a profile that stands in the wrong place is nowhere, and nobody notices.
 */
class BuildProfilesTest {
  private static final Pattern NAMED = Pattern.compile("mvnw [^`\\n]*?-P ?([\\w-]+)");

  @Test
  void everyProfileThatAPageNamesIsOneOfTheBuild() throws Exception {
    Set<String> named = new TreeSet<>();
    for (Path page : pages()) {
      NAMED
          .matcher(Files.readString(page))
          .results()
          .map((MatchResult found) -> found.group(1))
          .forEach(named::add);
    }

    assertThat(named).contains("endurance", "format");
    assertThat(ids("/project/profiles/profile/id")).containsAll(named);
  }

  @Test
  void noProfileStandsWhereMavenDoesNotLook() throws Exception {
    assertThat(ids("//profile/id")).isEqualTo(ids("/project/profiles/profile/id"));
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> beside = Files.list(Path.of("."));
        Stream<Path> docs = Files.walk(Path.of("docs"))) {
      Stream.concat(beside, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .forEach(pages::add);
    }
    return pages;
  }

  private static List<String> ids(String path) throws Exception {
    Document pom =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(Path.of("pom.xml").toFile());
    var found =
        (NodeList)
            XPathFactory.newInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      ids.add(found.item(i).getTextContent());
    }
    return ids;
  }
}
