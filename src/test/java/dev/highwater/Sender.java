package dev.highwater;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.RecordingSink.Delivery;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.springframework.core.NestedExceptionUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A provider: sends hooks with ids of its own and keeps book of what was answered. Every request
 * has the headers {@code x-id} and {@code x-try}, so that a hook and its retry can be told apart
 * where they arrive. Any thread may call.
 */
final class Sender implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong lastId = new AtomicLong();
  private final Map<String, Sending> sent = new ConcurrentHashMap<>();
  private final Map<String, Reply> replies = new ConcurrentHashMap<>();
  private final long seed;

  Sender(long seed) {
    this.seed = seed;
  }

  /**
   * One request.
   *
   * @param id of the hook, the same in all tries
   * @param number of the try, from 1
   */
  record Sending(String id, int number, String digest) {
    String key() {
      return id + "#" + number;
    }
  }

  /** What came back. */
  sealed interface Reply {
    /**
     * A 201.
     *
     * @param status accepted or duplicate
     */
    record Accepted(String hookId, String status, Duration after) implements Reply {}

    /** A problem document. */
    record Refused(int status, String code, String retryAfter, Duration after) implements Reply {}

    /** Nothing: nobody knows what became of it. */
    record None(String why) implements Reply {}
  }

  /** The id of a new hook. */
  String newId() {
    return "hook-" + lastId.incrementAndGet();
  }

  /** Sends a new hook. */
  Reply send(URI source) {
    return send(source, newId(), 1);
  }

  /** Sends that try of a hook, and waits for the answer. */
  Reply send(URI source, String id, int number) {
    byte[] body = bodyOf(id);
    var sending = new Sending(id, number, digest(body));
    sent.put(sending.key(), sending);
    var request =
        HttpRequest.newBuilder(source)
            .timeout(Duration.ofSeconds(60))
            .header("content-type", "application/octet-stream")
            .header("x-id", id)
            .header("x-try", Integer.toString(number))
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    Reply reply = exchange(request);
    replies.put(sending.key(), reply);
    return reply;
  }

  private Reply exchange(HttpRequest request) {
    long start = System.nanoTime();
    HttpResponse<String> response;
    try {
      response = client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      return new Reply.None(e + ", because of " + NestedExceptionUtils.getMostSpecificCause(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.None("interrupted");
    }
    var after = Duration.ofNanos(System.nanoTime() - start);
    JsonNode document = JsonMapper.shared().readTree(response.body());
    return response.statusCode() == 201
        ? new Reply.Accepted(
            document.get("id").asString(), document.get("status").asString(), after)
        : new Reply.Refused(
            response.statusCode(),
            document.get("code").asString(),
            response.headers().firstValue("retry-after").orElse(""),
            after);
  }

  /** Sends new hooks all at once; their replies by id come when all are there. */
  Map<String, Reply> sendAtOnce(URI source, int hooks) throws Exception {
    Map<String, Future<Reply>> running = new HashMap<>();
    for (int i = 0; i < hooks; i++) {
      String id = newId();
      running.put(id, threads.submit(() -> send(source, id, 1)));
    }
    Map<String, Reply> all = new ConcurrentHashMap<>();
    for (var entry : running.entrySet()) {
      all.put(entry.getKey(), entry.getValue().get());
    }
    return all;
  }

  /** Runs it on a thread of its own. */
  <T> Future<T> async(Callable<T> call) {
    return threads.submit(call);
  }

  /**
   * Starts clients that send new hooks one after the other, until {@link Load#stop} or until one is
   * not answered.
   */
  Load load(URI source, int clients) {
    var load = new Load();
    for (int i = 0; i < clients; i++) {
      load.clients.add(
          threads.submit(
              () -> {
                while (!load.stopping && !(send(source) instanceof Reply.None)) {
                  load.sent.incrementAndGet();
                }
              }));
    }
    return load;
  }

  /** Clients at work. */
  static final class Load {
    private final List<Future<?>> clients = new ArrayList<>();
    private final AtomicLong sent = new AtomicLong();
    private volatile boolean stopping;

    /** How many requests were answered so far. */
    long answered() {
      return sent.get();
    }

    /** Lets each client finish its request, and waits for that. */
    void stop() throws Exception {
      stopping = true;
      join();
    }

    /** Waits for clients that end by themselves. */
    void join() throws Exception {
      for (Future<?> client : clients) {
        client.get();
      }
    }
  }

  /** All replies, by {@link Sending#key()}. */
  Map<String, Reply> replies() {
    return Map.copyOf(replies);
  }

  <T extends Reply> List<T> replies(Class<T> kind) {
    return replies.values().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** How many hooks were stored anew, as far as the sender was told. */
  long accepted() {
    return replies(Reply.Accepted.class).stream()
        .filter(reply -> reply.status().equals("accepted"))
        .count();
  }

  /**
   * Compares what was answered with what arrived: every accepted hook, byte for byte and under the
   * id that was answered; no refused one; nothing that was not sent. An accepted hook may have
   * arrived several times, and one without an answer as it likes.
   */
  void check(RecordingSink sink) {
    Map<String, List<Delivery>> arrived =
        sink.deliveries().stream().collect(Collectors.groupingBy(Delivery::key));
    List<String> wrong = new ArrayList<>();
    arrived.forEach(
        (key, deliveries) -> {
          Sending sending = sent.get(key);
          for (Delivery delivery : deliveries) {
            if (sending == null || !sending.digest().equals(delivery.digest())) {
              wrong.add(key + " arrived and was not sent like that: " + delivery);
            }
          }
        });
    replies.forEach(
        (key, reply) -> {
          List<Delivery> deliveries = arrived.getOrDefault(key, List.of());
          switch (reply) {
            case Reply.Accepted(String hookId, String status, Duration after) -> {
              if (status.equals("accepted") && deliveries.isEmpty()) {
                wrong.add(key + " was accepted as " + hookId + " and has not arrived");
              } else if (status.equals("duplicate") && !deliveries.isEmpty()) {
                wrong.add(key + " was a duplicate and has arrived");
              } else if (deliveries.stream().anyMatch(d -> !d.hookId().equals(hookId))) {
                wrong.add(key + " was accepted as " + hookId + " and has another id now");
              }
            }
            case Reply.Refused refused -> {
              if (!deliveries.isEmpty()) {
                wrong.add(key + " was refused (" + refused + ") and has arrived");
              }
            }
            case Reply.None none -> {}
          }
        });
    assertThat(wrong).as("of %s requests", replies.size()).isEmpty();
    Map<String, String> keys = new HashMap<>();
    for (Delivery delivery : sink.deliveries()) {
      String other = keys.putIfAbsent(delivery.hookId(), delivery.key());
      assertThat(other == null || other.equals(delivery.key()))
          .as("one id for %s and %s", other, delivery.key())
          .isTrue();
    }
  }

  /** The same bytes in every try: most are short, some are long enough for a file of their own. */
  private byte[] bodyOf(String id) {
    var random = new SplittableRandom(seed ^ id.hashCode());
    byte[] body = new byte[random.nextInt(1, random.nextInt(8) == 0 ? 32_000 : 2_000)];
    random.nextBytes(body);
    byte[] start = id.getBytes(UTF_8);
    System.arraycopy(start, 0, body, 0, Math.min(start.length, body.length));
    return body;
  }

  static String digest(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    client.shutdownNow();
  }
}
