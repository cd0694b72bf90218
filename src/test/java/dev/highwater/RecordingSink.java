package dev.highwater;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Where hooks are delivered to: answers 204 and remembers what it got. */
final class RecordingSink implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ConcurrentLinkedQueue<Delivery> deliveries = new ConcurrentLinkedQueue<>();

  /**
   * A request that arrived whole.
   *
   * @param headers by lower-case name; of one that came twice, the first
   * @param digest of the body
   */
  record Delivery(Map<String, String> headers, String digest) {
    String header(String name) {
      return Objects.requireNonNull(headers.get(name), name);
    }

    /** The id Highwater gave the hook. */
    String hookId() {
      return header("webhook-id");
    }

    /** As in {@link Sender.Sending#key()}. */
    String key() {
      return header("x-id") + "#" + header("x-try");
    }
  }

  RecordingSink() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hooks";
  }

  List<Delivery> deliveries() {
    return List.copyOf(deliveries);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Map<String, String> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
      if (headers.getOrDefault("content-length", "-1").equals(Integer.toString(body.length))) {
        deliveries.add(new Delivery(headers, Sender.digest(body)));
      }
      exchange.sendResponseHeaders(204, -1);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
