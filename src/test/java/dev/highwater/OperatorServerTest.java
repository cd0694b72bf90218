package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.context.annotation.Bean;

@SpringBootTest(
    classes = OperatorServerTest.Application.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      // The rooms whose health the groups hold are not here.
      "management.endpoint.health.validate-group-membership=false"
    })
class OperatorServerTest {
  @LocalManagementPort int operatorPort;
  @Autowired AtomicReference<Thread> asked;

  @EnableAutoConfiguration
  static class Application {
    @Bean
    AtomicReference<Thread> asked() {
      return new AtomicReference<>();
    }

    @Bean
    HealthIndicator thread(AtomicReference<Thread> asked) {
      return () -> {
        asked.set(Thread.currentThread());
        return Health.up().build();
      };
    }
  }

  @Test
  void aProbeDoesNotWaitForACarrierBehindWhatIsBeingReceived() throws IOException {
    URI.create("http://localhost:" + operatorPort + "/actuator/health")
        .toURL()
        .openStream()
        .close();

    assertThat(asked.get().isVirtual()).isFalse();
    assertThat(asked.get().getName()).startsWith("http-nio-");
  }
}
