package dev.highwater.security;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.mock.env.MockEnvironment;

/** The two real ports, with the settings the program comes with. */
@SpringBootTest(
    classes = OperatorPortTest.Application.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      // The rooms whose health the groups hold are not here.
      "management.endpoint.health.validate-group-membership=false"
    })
class OperatorPortTest {
  @LocalServerPort int publicPort;
  @LocalManagementPort int operatorPort;

  @EnableAutoConfiguration
  @ComponentScan // as the program finds this room
  static class Application {}

  @Test
  void theDoorIsInFrontOfTheOperatorPort() throws IOException {
    assertThat(get(operatorPort, "/actuator", "localhost")).startsWith("HTTP/1.1 200");
    assertThat(get(operatorPort, "/actuator", "evil.example"))
        .startsWith("HTTP/1.1 403")
        .contains("forbidden_host");
    assertThat(get(operatorPort, "/actuator/health/..;/..;/actuator", "evil.example"))
        .startsWith("HTTP/1.1 403");
    assertThat(get(operatorPort, "/actuator", "localhost", "Origin: http://evil.example"))
        .startsWith("HTTP/1.1 403")
        .contains("forbidden_origin");
  }

  @Test
  void andInFrontOfNothingElse() throws IOException {
    assertThat(get(publicPort, "/anything", "hooks.example.com")).startsWith("HTTP/1.1 404");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/actuator/health", "/actuator/health/liveness", "/livez", "/readyz"})
  void healthAnswersWhoeverAsks(String path) throws IOException {
    assertThat(get(operatorPort, path, "highwater.internal:8081", "Origin: http://evil.example"))
        .startsWith("HTTP/1.1 200")
        .contains("\"status\":\"UP\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/readyz"})
  void aProbeIsAStatusAndNothingElseOnBothPorts(String path) throws IOException {
    assertThat(get(publicPort, path, "a")).contains("\r\n{\"status\":\"UP\"}\r\n");
    assertThat(get(operatorPort, path, "a")).contains("\r\n{\"status\":\"UP\"}\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rubbish\r\n\r\n",
        "GET /actuator HTTP/1.1\r\n\r\n",
        "GET /actuator HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /act|uator HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /actuator HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n"
      })
  void brokenHttpIsAProblemDocumentAndNoPage(String request) throws IOException {
    assertThat(exchange(operatorPort, request))
        .startsWith("HTTP/1.1 400")
        .contains("application/problem+json", "\"code\":\"bad_request\"")
        .doesNotContainIgnoringCase("<html", "tomcat", "exception");
  }

  @Test
  void onePortForBothIsRefused() {
    var environment =
        new MockEnvironment()
            .withProperty("server.port", "8080")
            .withProperty("management.server.port", "8080");

    assertThatThrownBy(() -> new SecurityConfiguration(environment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("management.server.port must not be server.port");
  }

  private static String get(int port, String path, String host, String... headers)
      throws IOException {
    String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    String request =
        "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "Connection: close\r\n\r\n";
    return exchange(port, request);
  }

  static String exchange(int port, String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }
}
