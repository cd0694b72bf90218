package dev.highwater.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.test.context.TestPropertySource;

/**
 * Somebody told the server to believe forwarding headers, as is usual behind a proxy. On the
 * operator port they must not make a caller one of this machine.
 */
class ForwardedCallerTest {

  @Nested
  @TestPropertySource(properties = "server.forward-headers-strategy=native")
  class BelievedByTheServer extends Believed {}

  @Nested
  @TestPropertySource(properties = "server.forward-headers-strategy=framework")
  class BelievedByTheFramework extends Believed {}

  @SpringBootTest(
      classes = OperatorPortTest.Application.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = {
        "management.server.port=0",
        "management.endpoint.health.validate-group-membership=false"
      })
  abstract static class Believed {
    @LocalManagementPort int operatorPort;

    @ParameterizedTest
    @ValueSource(
        strings = {
          "X-Forwarded-For: 127.0.0.1",
          "X-Forwarded-For: ::1",
          "x-forwarded-for: 127.0.0.1, 127.0.0.1",
          "X-Forwarded-For: 203.0.113.9",
          "X-Forwarded-For: ",
          "Forwarded: for=127.0.0.1",
          "Forwarded: for=\"[::1]\"",
          "X-Forwarded-Host: localhost",
          "X-Forwarded-Proto: https",
          "X-Real-IP: 127.0.0.1"
        })
    void aHeaderLetsNobodyIn(String header) throws IOException {
      assertThat(open(header)).startsWith("HTTP/1.1 401").contains("\"code\":\"unauthorized\"");
    }

    @Test
    void whoeverIsOnTheMachineIsLetIn() throws IOException {
      assertThat(open("X-Other: 1")).startsWith("HTTP/1.1 200");
    }

    private String open(String header) throws IOException {
      return OperatorPortTest.exchange(
          operatorPort,
          "GET /actuator HTTP/1.1\r\nHost: localhost\r\n"
              + header
              + "\r\nConnection: close\r\n\r\n");
    }
  }
}
