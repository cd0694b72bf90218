package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.highwater.queue.QueueInspector;
import dev.highwater.queue.SyncerService;
import dev.highwater.queue.WriterService;
import dev.highwater.store.StoreService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The whole program in one context: real server, real RocksDB, a real service behind the sink. */
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "highwater.shutdown.grace=0s",
      "highwater.sources.shop.type=none",
      "highwater.sources.shop.dedupe.header=x-id"
    })
// The store is closed with the context, before the directory goes.
@DirtiesContext
class HighwaterTest {
  @TempDir static Path directory;

  private static final List<String> arrived = new CopyOnWriteArrayList<>();
  private static final HttpServer service = service();

  @LocalServerPort int port;
  @LocalManagementPort int operatorPort;
  @Autowired StoreService store;
  @Autowired WriterService writer;
  @Autowired SyncerService syncer;
  @Autowired QueueInspector queue;

  @DynamicPropertySource
  static void settings(DynamicPropertyRegistry registry) {
    registry.add("highwater.data-dir", directory::toString);
    registry.add("highwater.sources.shop.sinks[0].name", () -> "orders");
    registry.add("highwater.sources.shop.sinks[0].type", () -> "http");
    registry.add(
        "highwater.sources.shop.sinks[0].url",
        () -> "http://localhost:" + service.getAddress().getPort() + "/hooks");
  }

  private static HttpServer service() {
    try {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/hooks",
          exchange -> {
            arrived.add(
                exchange.getRequestHeaders().getFirst("webhook-id")
                    + " "
                    + new String(
                        exchange.getRequestBody().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stopTheService() {
    service.stop(0);
  }

  @Test
  void aHookIsAcceptedDurableAndDeliveredAndItsRepetitionIsKnown() {
    var client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();

    var answer =
        client
            .post()
            .uri("/webhooks/shop")
            .header("x-id", "1")
            .contentType(MediaType.APPLICATION_JSON)
            .body("{\"n\":1}")
            .exchange()
            .expectStatus()
            .isCreated()
            .expectBody()
            .jsonPath("$.status")
            .isEqualTo("accepted")
            .returnResult();
    String id = Objects.requireNonNull(answer.getResponseHeaders().getFirst("webhook-id"));

    assertThat(queue.marks().durableSeq()).isPositive();
    await().until(() -> arrived.contains(id + " {\"n\":1}"));

    client
        .post()
        .uri("/webhooks/shop")
        .header("x-id", "1")
        .body("{\"n\":1}")
        .exchange()
        .expectStatus()
        .isCreated()
        .expectHeader()
        .valueEquals("webhook-id", id)
        .expectBody()
        .jsonPath("$.status")
        .isEqualTo("duplicate");
  }

  @Test
  void theServicesAreBeansWithThreadsOfTheirOwn() {
    assertThat(List.of(store, writer, syncer)).doesNotContainNull();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .contains("highwater-writer", "highwater-syncer", "highwater-store", "highwater-dispatch");
  }

  @Test
  void healthTellsOfTheFenceAndOfTheGapBetweenAppliedAndDurable() {
    RestTestClient.bindToServer()
        .baseUrl("http://localhost:" + operatorPort)
        .build()
        .get()
        .uri("/actuator/health/queue")
        .exchange()
        .expectStatus()
        .isEqualTo(HttpStatus.OK)
        .expectBody()
        .jsonPath("$.details.fenced")
        .isEqualTo(false)
        .jsonPath("$.details.gap")
        .isEqualTo(0)
        .jsonPath("$.details.appliedSeq")
        .exists()
        .jsonPath("$.details.durableSeq")
        .exists();
  }
}
