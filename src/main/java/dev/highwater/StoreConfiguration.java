package dev.highwater;

import dev.highwater.store.RocksEngine;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreProperties;
import dev.highwater.store.StoreService;
import dev.highwater.store.StoreSettings;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Opens the store before anything that needs it is made, and closes it after everything else is
 * gone.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({HighwaterProperties.class, StoreProperties.class})
class StoreConfiguration {

  @Bean
  Clock wallClock() {
    return Clock.systemUTC();
  }

  @Bean
  StoreSettings storeSettings(StoreProperties properties, HighwaterProperties highwater) {
    return properties.in(highwater.directory());
  }

  @Bean(destroyMethod = "close")
  StoreService storeService(StoreSettings settings, Clock wallClock) throws StoreException {
    var store = new StoreService(RocksEngine.factory(settings), settings, wallClock);
    store.start();
    return store;
  }
}
