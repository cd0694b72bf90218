package benchmark.server;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.nats.client.Nats;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Rows a, e, f and n: one Spring MVC handler before nothing, PostgreSQL, Redis or NATS. */
public final class MvcServer {
  private MvcServer() {}

  /** Arguments: settings as {@code --server.port=…}; {@code --journal=} says which row. */
  public static void main(String[] args) {
    new SpringApplicationBuilder(Settings.class).run(args);
  }

  /** What every row has. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({None.class, Postgres.class, Redis.class, JetStream.class})
  static class Settings {}

  /** Row a. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "journal", havingValue = "none")
  @Import(BareHooks.class)
  static class None {}

  /** Row e: one row and one commit per hook. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "journal", havingValue = "postgres")
  @Import(Hooks.class)
  static class Postgres {
    private static final String INSERT =
        """
        insert into hooks (source, delivery, received_at, headers, body)
        values ('bench', ?, now(), ?, ?) on conflict (source, delivery) do nothing
        """;

    @Bean
    Journal journal(JdbcClient database) {
      database.sql("drop table if exists hooks").update();
      database
          .sql(
              """
              create table hooks (
                seq bigint generated always as identity primary key,
                source text not null, delivery text not null, received_at timestamptz not null,
                headers text not null, body bytea not null, unique (source, delivery))
              """)
          .update();
      return (id, headers, body) -> {
        int stored = database.sql(INSERT).param(id).param(headers).param(body).update();
        if (stored != 1) {
          throw new IllegalStateException("a delivery id came twice");
        }
      };
    }
  }

  /** Row f: one XADD per hook; one connection, on which the client pipelines what comes at once. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "journal", havingValue = "redis")
  @Import(Hooks.class)
  static class Redis {
    @Bean(destroyMethod = "shutdown")
    RedisClient redis(org.springframework.core.env.Environment settings) {
      return RedisClient.create(settings.getRequiredProperty("redis.url"));
    }

    @Bean
    Journal journal(RedisClient redis) {
      var commands =
          redis.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)).async();
      return (id, headers, body) ->
          commands
              .xadd(
                  "hooks",
                  Map.of(
                      "delivery", id.getBytes(StandardCharsets.UTF_8),
                      "headers", headers.getBytes(StandardCharsets.UTF_8),
                      "body", body))
              .get(60, TimeUnit.SECONDS);
    }
  }

  /** Row n: one message per hook, with the delivery id as the id it deduplicates by. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "journal", havingValue = "nats")
  @Import(Hooks.class)
  static class JetStream {
    @Bean
    Journal journal(org.springframework.core.env.Environment settings) throws Exception {
      var connection = Nats.connect(settings.getRequiredProperty("nats.url"));
      connection
          .jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name("hooks")
                  .subjects(List.of("hooks"))
                  .storageType(StorageType.File)
                  .build());
      var stream = connection.jetStream();
      return (id, headers, body) -> {
        var head = new Headers().put("Nats-Msg-Id", id).put("hook", headers.replace('\n', ';'));
        var ack =
            stream
                .publishAsync(
                    NatsMessage.builder().subject("hooks").headers(head).data(body).build())
                .get(60, TimeUnit.SECONDS);
        if (ack.isDuplicate()) {
          throw new IllegalStateException("a delivery id came twice");
        }
      };
    }
  }
}
