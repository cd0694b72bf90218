package dev.highwater.pen;

import dev.highwater.queue.BacklogLimit;
import dev.highwater.queue.PenRoom;
import dev.highwater.queue.QueueInspector;
import dev.highwater.queue.SinkIds;
import dev.highwater.queue.WriterService;
import dev.highwater.source.SourceDirectory;
import dev.highwater.store.Store;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the room together; all that it needs comes from elsewhere. */
@Configuration(proxyBeanMethods = false)
class PenConfiguration {

  @Bean
  Pen pen(
      Store store,
      QueueInspector queue,
      WriterService writer,
      PenRoom room,
      BacklogLimit backlog,
      SourceDirectory sources,
      SinkIds sinkIds) {
    return new Pen(store, queue, writer, room, backlog, sources, sinkIds);
  }
}
