package dev.highwater.security;

import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Refuses a start in which operators and the world would share a port. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

  SecurityConfiguration(Environment environment) {
    if (ManagementPortType.get(environment) == ManagementPortType.SAME) {
      throw new IllegalArgumentException(
          "management.server.port must not be server.port: whoever may send hooks could then call"
              + " what is for operators");
    }
  }
}
