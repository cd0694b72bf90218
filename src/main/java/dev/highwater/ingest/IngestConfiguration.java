package dev.highwater.ingest;

import dev.highwater.queue.HookIntake;
import dev.highwater.queue.IntakeRoom;
import dev.highwater.queue.SinkIds;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.web.filter.RequestContextFilter;

/**
 * Puts the room together. Needs from elsewhere: a source directory, the ports of the queue, an
 * {@link java.time.InstantSource}, and an {@link IngestObserver} where somebody counts.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IntakeProperties.class)
@Import(HookController.class)
class IngestConfiguration {

  @Bean
  PublicPort publicPort(IntakeProperties properties, Farewell farewell) {
    return new PublicPort(properties, farewell);
  }

  /** Takes the place of the one that the framework would put before every hook. */
  @Bean
  FilterRegistrationBean<RequestContextFilter> noRequestContext() {
    var none = new FilterRegistrationBean<>(new RequestContextFilter());
    none.setEnabled(false);
    return none;
  }

  @Bean
  Farewell farewell() {
    return new Farewell();
  }

  @Bean
  LastConnections lastConnections(PublicPort port) {
    return new LastConnections(port);
  }

  @Bean
  Reception reception(
      IntakeProperties properties,
      IntakeRoom room,
      HookIntake intake,
      SinkIds sinkIds,
      RateLimiter limiter,
      IngestObserver observer) {
    return new Reception(
        room,
        intake,
        sinkIds,
        new BodyReader(properties.bodyTimeout()),
        new ClientAddresses(properties.trustedRanges()),
        limiter,
        observer);
  }

  @Bean
  @Fallback
  RateLimiter rateLimiter() {
    return new RateLimiter(System::nanoTime);
  }

  @Bean
  HookIds hookIds() {
    return new HookIds();
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
