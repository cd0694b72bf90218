package dev.highwater.security;

import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * What this room adds to the context of the operator port. Listed in {@code
 * META-INF/spring/…ManagementContextConfiguration.imports}, and without an annotation that
 * component scanning looks for: the context of the public port must not take it up.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class OperatorPortConfiguration {

  @Bean
  OperatorPort operatorPort() {
    return new OperatorPort();
  }

  @Bean
  FilterRegistrationBean<OperatorDoor> operatorDoor(PathMappedEndpoints endpoints) {
    var registration = new FilterRegistrationBean<>(OperatorDoor.inFrontOf(endpoints));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return registration;
  }
}
