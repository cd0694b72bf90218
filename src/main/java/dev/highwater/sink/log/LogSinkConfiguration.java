package dev.highwater.sink.log;

import dev.highwater.sink.SinkFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Brings the transport in; nothing outside this room names its classes. */
@Configuration(proxyBeanMethods = false)
class LogSinkConfiguration {

  @Bean
  SinkFactory logSinkFactory() {
    return new LogSinkFactory();
  }
}
