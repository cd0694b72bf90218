package dev.highwater.ingest;

import dev.highwater.queue.HookIntake;
import dev.highwater.queue.IntakeRoom;
import dev.highwater.queue.SinkIds;
import dev.highwater.source.SourceDirectory;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/**
 * Puts the room together. Needs from elsewhere: a source directory, the ports of the queue, an
 * {@link java.time.InstantSource}, and an {@link IngestObserver} where somebody counts.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IntakeProperties.class)
class IngestConfiguration {

  @Bean
  PublicPort publicPort(IntakeProperties properties) {
    return new PublicPort(properties);
  }

  @Bean
  Reception reception(
      IntakeProperties properties,
      IntakeRoom room,
      HookIntake intake,
      SinkIds sinkIds,
      IngestObserver observer) {
    return new Reception(room, intake, sinkIds, new BodyReader(properties.bodyTimeout()), observer);
  }

  @Bean
  HookController hookController(
      SourceDirectory sources, Reception reception, InstantSource clock, IngestObserver observer) {
    return new HookController(sources, reception, new HookIds(), clock, observer);
  }

  @Bean
  PublicPaths publicPaths(HookController hooks, IngestObserver observer) {
    return new PublicPaths(hooks, new NothingHere(observer));
  }

  /** Until somebody counts. */
  @Bean
  @Fallback
  IngestObserver noIngestObserver() {
    return IngestObserver.NONE;
  }
}
