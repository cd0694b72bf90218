package dev.highwater;

import dev.highwater.dispatch.DispatchProperties;
import dev.highwater.queue.QueueProperties;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;

/** Says which bounds are smaller than configured, because the heap is too small for them. */
@Component
final class HeapReport {
  private static final Logger log = LoggerFactory.getLogger(HeapReport.class);

  private final QueueProperties queue;
  private final DispatchProperties dispatch;

  HeapReport(QueueProperties queue, DispatchProperties dispatch) {
    this.queue = queue;
    this.dispatch = dispatch;
  }

  @EventListener
  void onReady(ApplicationReadyEvent event) {
    lines(Runtime.getRuntime().maxMemory()).forEach(log::info);
  }

  /** A line for each bound that is cut. */
  List<String> lines(long heap) {
    QueueProperties fitting = queue.within(heap);
    List<String> lines = new ArrayList<>();
    compare("highwater.queue.max-bytes", queue.maxBytes(), fitting.maxBytes(), heap, lines);
    compare(
        "highwater.queue.max-group-bytes",
        queue.maxGroupBytes(),
        fitting.maxGroupBytes(),
        heap,
        lines);
    compare(
        "highwater.dispatch.max-bytes",
        dispatch.maxBytes(),
        dispatch.within(heap).maxBytes(),
        heap,
        lines);
    return lines;
  }

  private static void compare(
      String key, DataSize configured, DataSize fitting, long heap, List<String> lines) {
    if (!fitting.equals(configured)) {
      lines.add(
          "%s is %d MB, but %d MB is used: no more fits the heap of %d MB (-Xmx)"
              .formatted(
                  key,
                  configured.toMegabytes(),
                  fitting.toMegabytes(),
                  DataSize.ofBytes(heap).toMegabytes()));
    }
  }
}
