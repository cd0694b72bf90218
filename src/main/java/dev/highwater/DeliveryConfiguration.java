package dev.highwater;

import dev.highwater.dispatch.AttemptObserver;
import dev.highwater.dispatch.DispatchProperties;
import dev.highwater.dispatch.Dispatcher;
import dev.highwater.dispatch.QueuePorts;
import dev.highwater.hook.SourceRef;
import dev.highwater.queue.BacklogLimit;
import dev.highwater.queue.ConfiguredSinks;
import dev.highwater.queue.ProcessDeath;
import dev.highwater.queue.QueueInspector;
import dev.highwater.queue.RepeatableWrites;
import dev.highwater.queue.SinkIds;
import dev.highwater.sink.SinkFactory;
import dev.highwater.source.ConfiguredSources;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import dev.highwater.source.SourcesProperties;
import dev.highwater.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

/** The sources that are configured, the transports there are, and the dispatcher between them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({DispatchProperties.class, ShutdownProperties.class})
class DeliveryConfiguration {
  private static final Logger log = LoggerFactory.getLogger(DeliveryConfiguration.class);

  @Bean
  ConfiguredSources sources(Environment environment) {
    boolean demo = environment.acceptsProfiles(Profiles.of("demo"));
    return ConfiguredSources.of(SourcesProperties.bind(environment), demo);
  }

  @Bean
  ConfiguredSinks configuredSinks(SourceDirectory sources) {
    return new ConfiguredSinks(
        sources.all().stream().flatMap(source -> names(source).stream()).toList());
  }

  private static List<ConfiguredSinks.Name> names(Source source) {
    SourceRef ref = source.ref();
    return source.sinks().stream().map(sink -> new ConfiguredSinks.Name(ref, sink.name())).toList();
  }

  @Bean
  ProcessDeath processDeath() {
    return (thread, cause) -> {
      log.error("{} has died; the process ends, so that it can be started again", thread, cause);
      // Not exit: its hooks would wait for the thread that is gone. What was acked is on disk.
      Runtime.getRuntime().halt(70);
    };
  }

  @Bean
  Dispatcher dispatcher(
      DispatchProperties properties,
      Store store,
      QueueInspector queue,
      RepeatableWrites writes,
      SinkIds sinkIds,
      SourceDirectory sources,
      List<SinkFactory> factories,
      Clock wallClock,
      ObjectProvider<AttemptObserver> observer,
      ProcessDeath death) {
    return new Dispatcher(
        properties.within(Runtime.getRuntime().maxMemory()),
        store,
        new QueuePorts(queue::marks, queue::stamp, writes, sinkIds),
        sources,
        factories,
        wallClock,
        new SplittableRandom(),
        observer.getIfAvailable(() -> AttemptObserver.NONE),
        () -> death.die("highwater-dispatch", new IllegalStateException("see the log above")));
  }

  @Bean
  BacklogLimit backlogLimit(ObjectProvider<Dispatcher> dispatcher, DispatchProperties properties) {
    // Asked for late: dispatch itself needs the writer.
    return new Backlogs(
        () -> dispatcher.getObject().stats().sinks(),
        properties.maxBacklog(),
        properties.maxBacklogBytes().toBytes());
  }

  @Bean
  DispatchLifecycle dispatchLifecycle(Dispatcher dispatcher, ShutdownProperties shutdown) {
    return new DispatchLifecycle(dispatcher, shutdown.attempts());
  }

  @Bean
  Drain drain(ApplicationContext context, Dispatcher dispatcher, ShutdownProperties shutdown) {
    return new Drain(context, dispatcher, shutdown.grace(), shutdown.attempts());
  }
}
