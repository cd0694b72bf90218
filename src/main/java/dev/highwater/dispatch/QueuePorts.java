package dev.highwater.dispatch;

import dev.highwater.queue.Marks;
import dev.highwater.queue.RepeatableWrites;
import dev.highwater.queue.SinkIds;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What dispatch sees of the write path.
 *
 * @param marks what is durable right now; any thread, costs nothing
 * @param stamp the writer's clock in milliseconds, which never goes back (G7); reading it gives no
 *     stamp away
 * @param writes the door for outcomes
 * @param sinkIds the numbers of the configured sinks
 */
public record QueuePorts(
    Supplier<Marks> marks, LongSupplier stamp, RepeatableWrites writes, SinkIds sinkIds) {}
