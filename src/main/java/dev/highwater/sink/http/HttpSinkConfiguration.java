package dev.highwater.sink.http;

import dev.highwater.sink.EgressPolicy;
import dev.highwater.sink.SinkFactory;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Brings the transport in; nothing outside this room names its classes. */
@Configuration(proxyBeanMethods = false)
class HttpSinkConfiguration {

  @Bean
  SinkFactory httpSinkFactory(InstantSource wallClock) {
    Package here = HttpSinkConfiguration.class.getPackage();
    String version = Optional.ofNullable(here.getImplementationVersion()).orElse("dev");
    // Its sinks stand in the configuration file, which only the operator writes.
    return new HttpSinkFactory(wallClock, "Highwater/" + version, EgressPolicy.ANY);
  }
}
