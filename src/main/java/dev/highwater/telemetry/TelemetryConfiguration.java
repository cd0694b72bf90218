package dev.highwater.telemetry;

import dev.highwater.dispatch.Dispatcher;
import dev.highwater.queue.ConfiguredSinks;
import dev.highwater.queue.PenRoom;
import dev.highwater.queue.QueueInspector;
import dev.highwater.store.StoreService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Puts meters and health together. Bean names of health indicators are the names of the components.
 */
@Configuration(proxyBeanMethods = false)
class TelemetryConfiguration {

  @Bean
  QueueHealthIndicator queueHealthIndicator(QueueInspector queue) {
    return new QueueHealthIndicator(queue);
  }

  @Bean
  StoreHealthIndicator storeHealthIndicator(StoreService store) {
    return new StoreHealthIndicator(store);
  }

  @Bean
  DispatchHealthIndicator dispatchHealthIndicator(Dispatcher dispatcher, QueueInspector queue) {
    return new DispatchHealthIndicator(dispatcher, queue);
  }

  @Bean
  QueueMeters queueMeters(MeterRegistry registry) {
    return new QueueMeters(registry);
  }

  @Bean
  IntakeMeters intakeMeters(MeterRegistry registry) {
    return new IntakeMeters(registry);
  }

  @Bean
  DispatchMeters dispatchMeters(MeterRegistry registry) {
    return new DispatchMeters(registry);
  }

  @Bean
  MeterBinder queueGauges(QueueInspector queue) {
    return QueueMeters.gauges(queue);
  }

  @Bean
  PenMeters penMeters(PenRoom room, ConfiguredSinks sinks) {
    return new PenMeters(room, sinks);
  }

  @Bean
  StoreMeters storeMeters(StoreService store) {
    return new StoreMeters(store);
  }

  @Bean
  ApplicationListener<ApplicationStartedEvent> sinkGauges(
      MeterRegistry registry, Dispatcher dispatcher, QueueInspector queue) {
    // The lanes exist once the dispatcher has started.
    return event -> DispatchMeters.bind(registry, dispatcher, queue);
  }
}
