package dev.highwater.security;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Who is let in as long as there are no credentials. */
class OperatorDoorTest {
  private final OperatorDoor door = new OperatorDoor(List.of("/actuator/health", "/livez"));
  private final MockHttpServletRequest request =
      new MockHttpServletRequest("GET", "/actuator/prometheus");
  private final MockHttpServletResponse response = new MockHttpServletResponse();

  OperatorDoorTest() {
    CallerValve.remember(request, true);
    request.setRemoteAddr("127.0.0.1");
    request.addHeader("Host", "localhost:8081");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.8.9.10", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"})
  void aCallerOnTheMachineIsLetIn(String address) throws Exception {
    request.setRemoteAddr(address);

    assertLetIn();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.7",
        "::ffff:10.0.0.7",
        "169.254.1.1",
        "fe80::1",
        "2001:db8::1",
        "",
        "here"
      })
  void aCallerFromElsewhereNeedsCredentialsWhateverItsHostSays(String address) throws Exception {
    request.setRemoteAddr(address);

    assertRefused(401, "unauthorized");
    assertThat(response.getHeader("WWW-Authenticate")).isEqualTo("Bearer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded",
        "X-Forwarded-For",
        "x-forwarded-proto",
        "X-Forwarded-Host",
        "X-Real-IP",
        "Via"
      })
  void whatAProxyPassedOnIsNotFromTheMachine(String header) {
    assertThat(CallerValve.isDirect("127.0.0.1", headers("Host", header))).isFalse();
    assertThat(CallerValve.isDirect("127.0.0.1", headers("Host"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.7", "::ffff:10.0.0.7", "2001:db8::1", "", "localhost"})
  void aConnectionFromElsewhereIsNotFromTheMachineEither(String peer) {
    assertThat(CallerValve.isDirect(peer, headers("Host"))).isFalse();
  }

  @Test
  void anAddressThatWasReplacedByALoopbackOneLetsNobodyIn() throws Exception {
    CallerValve.remember(request, false);

    assertRefused(401, "unauthorized");
  }

  @Test
  void whomNobodyHasLookedAtIsNotLetIn() throws Exception {
    request.clearAttributes();

    assertRefused(401, "unauthorized");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:9",
        "127.0.0.1",
        "127.0.0.1:8081",
        "127.1.2.3",
        "[::1]:8081"
      })
  void aLoopbackNameIsAnswered(String host) throws Exception {
    request.removeHeader("Host");
    request.addHeader("Host", host);

    assertLetIn();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example:8081",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example@localhost",
        "localhost:8081@evil.example",
        "localhost:x",
        "localhost.",
        "10.0.0.7:8081",
        "[::ffff:10.0.0.7]",
        "0.0.0.0:8081",
        " localhost",
        ""
      })
  void aNameThatSomebodyMadeResolveToLoopbackIsNot(String host) throws Exception {
    request.removeHeader("Host");
    request.addHeader("Host", host);

    assertRefused(403, "forbidden_host");
  }

  @Test
  void aRequestWithoutHostIsRefused() throws Exception {
    request.removeHeader("Host");

    assertRefused(403, "forbidden_host");
  }

  @Test
  void aPageOfTheSameOriginIsAnswered() throws Exception {
    request.addHeader("Origin", "http://LocalHost:8081");

    assertLetIn();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "http://evil.example",
        "http://localhost:3000",
        "http://localhost",
        "http://127.0.0.1:8081",
        "https://localhost:8081",
        "http://localhost:8081.evil.example",
        ""
      })
  void aPageOfAnotherOriginIsNot(String origin) throws Exception {
    request.addHeader("Origin", origin);

    assertRefused(403, "forbidden_origin");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/actuator/health",
        "/actuator/health/readiness",
        "/actuator/health/a/b",
        "/livez"
      })
  void healthAnswersEveryone(String path) throws Exception {
    request.setRequestURI(path);
    fromAnywhere();

    assertLetIn();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/actuator/healthy",
        "/actuator/health/../prometheus",
        "/actuator/health/..;/prometheus",
        "/actuator/health/%2e%2e/prometheus",
        "/actuator/health;/../prometheus",
        "/actuator/health//prometheus/",
        "//actuator/health",
        "/livezz",
        "/actuator",
        "/api/v1/queue",
        "/console",
        "/"
      })
  void nothingThatOnlyBeginsLikeHealthDoes(String path) throws Exception {
    request.setRequestURI(path);
    fromAnywhere();

    assertRefused(401, "unauthorized");
  }

  private static Enumeration<String> headers(String... names) {
    return Collections.enumeration(List.of(names));
  }

  private void fromAnywhere() {
    request.setRemoteAddr("203.0.113.9");
    request.removeHeader("Host");
    request.addHeader("Host", "evil.example");
    request.addHeader("Origin", "http://evil.example");
  }

  private void assertLetIn() throws ServletException, IOException {
    assertThat(pass().getRequest()).as("what came through").isSameAs(request);
    assertThat(response.getStatus()).isEqualTo(200);
  }

  private void assertRefused(int status, String code) throws ServletException, IOException {
    assertThat(pass().getRequest()).as("what came through").isNull();
    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(response.getContentType()).isEqualTo("application/problem+json");
    assertThat(response.getContentAsString())
        .startsWith("{\"type\":\"urn:highwater:problem:" + code + "\"")
        .contains("\"status\":" + status + ",\"code\":\"" + code + "\"")
        .doesNotContain("evil")
        .endsWith("}");
  }

  private MockFilterChain pass() throws ServletException, IOException {
    var chain = new MockFilterChain();
    door.doFilter(request, response, chain);
    return chain;
  }
}
