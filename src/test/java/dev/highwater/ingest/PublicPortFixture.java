package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The real server around this room alone, with everything behind it in the test's hands. */
@SpringBootTest(
    classes = PublicPortFixture.Application.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "management.endpoint.health.probes.add-additional-paths=true",
      // The rooms whose health the real group holds are not here.
      "management.endpoint.health.validate-group-membership=false"
    })
abstract class PublicPortFixture {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @LocalServerPort int port;
  @Autowired FakeQueue queue;
  @Autowired FakeObserver observer;

  @EnableAutoConfiguration
  @Import(IngestConfiguration.class)
  static class Application {
    @Bean
    FakeSources sources() {
      return new FakeSources();
    }

    @Bean
    FakeQueue queue() {
      return new FakeQueue();
    }

    @Bean
    FakeObserver observer() {
      return new FakeObserver();
    }

    /** On a clock that stands still. */
    @Bean
    RateLimiter limiter() {
      return new RateLimiter(() -> 0);
    }

    @Bean
    InstantSource clock() {
      return InstantSource.fixed(NOW);
    }
  }

  @BeforeEach
  void startAfresh() {
    queue.reset();
    observer.seen.clear();
  }

  /** Whatever a test did: every permit comes back, and once. */
  @AfterEach
  void everyPermitIsClosedOnce() {
    soon(() -> assertThat(queue.openPermits).hasValue(0));
    assertThat(queue.openBytes).hasValue(0);
    assertThat(queue.closedTwice).hasValue(0);
  }

  /** The answer is on its way before the room is done with the request. */
  static void soon(ThrowingRunnable assertion) {
    await().pollDelay(Duration.ZERO).untilAsserted(assertion);
  }

  void assertObserved(String... lines) {
    soon(() -> assertThat(observer.seen).containsExactly(lines));
  }

  Wire connect() throws IOException {
    return new Wire(port);
  }

  static void assertProblem(Wire.Response response, int status, String code) {
    assertThat(response.text()).contains("\"code\":\"" + code + "\"", "\"status\":" + status);
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.header("content-type")).isEqualTo("application/problem+json");
    assertThat(response.text())
        .startsWith("{\"type\":\"urn:highwater:problem:" + code + "\",\"title\":\"")
        .contains("\"detail\":\"")
        .endsWith("}")
        .doesNotContainIgnoringCase("tomcat", "<html", "exception", "\tat ");
    assertThat(response.header("server")).isNull();
  }
}
