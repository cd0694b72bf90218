package dev.highwater.queue;

import dev.highwater.store.DurableMarkFile;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreSettings;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Puts the write path together. Making the beans recovers the store; {@link QueueLifecycle} then
 * starts the threads.
 *
 * <p>Needs from outside: a {@link Store} that is open, its {@link StoreSettings}, the {@link
 * ConfiguredSinks}, the wall clock and {@link ProcessDeath}.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({QueueProperties.class, PenProperties.class})
class QueueConfiguration {
  @Bean(destroyMethod = "shutdownNow")
  ThreadPoolExecutor writerExecutor() {
    return DedicatedThread.named("highwater-writer", 1);
  }

  @Bean(destroyMethod = "shutdownNow")
  ThreadPoolExecutor syncerExecutor() {
    return DedicatedThread.named("highwater-syncer", 1);
  }

  @Bean(destroyMethod = "shutdownNow")
  ThreadPoolExecutor fenceExecutor() {
    return DedicatedThread.named("highwater-fence", 16);
  }

  @Bean
  FenceMarker fenceMarker(StoreSettings store) {
    return new FenceMarker(store.fenced());
  }

  @Bean
  QueueRecovery.State recoveredQueue(Store store, FenceMarker marker, StoreSettings settings)
      throws StoreException {
    return QueueRecovery.recover(store, marker, settings.acceptLoss());
  }

  @Bean
  SinkIds sinkIds(Store store, ConfiguredSinks sinks, QueueRecovery.State recovered)
      throws StoreException {
    // After the recovery, which must be the first to write.
    return SinkIdTable.of(store, sinks.names());
  }

  @Bean
  StampClock stampClock(InstantSource wallClock, QueueRecovery.State recovered) {
    return new StampClock(wallClock, System::nanoTime, recovered.lastAt());
  }

  @Bean
  DurableMarks durableMarks(QueueRecovery.State recovered) {
    return new DurableMarks(recovered.nextSeq() - 1, recovered.lastAt());
  }

  @Bean
  Fence fence(
      DurableMarks marks,
      FenceMarker marker,
      Store store,
      @Qualifier("fenceExecutor") ThreadPoolExecutor fenceExecutor,
      InstantSource wallClock) {
    var fence = new Fence(marks, marker, store, fenceExecutor, wallClock);
    store.onWriteFailure(failure -> fence.latch(String.valueOf(failure.getMessage())));
    return fence;
  }

  @Bean
  IntakeBudget intakeBudget(QueueProperties settings, ConfiguredSinks sinks) {
    QueueProperties fitting = settings.within(Runtime.getRuntime().maxMemory());
    boolean severalTenants = sinks.severalTenants();
    return new IntakeBudget(
        fitting.maxRecords(), fitting.maxBytes().toBytes(), () -> severalTenants);
  }

  @Bean
  PenRoom penRoom(
      PenProperties pen,
      QueueProperties settings,
      ConfiguredSinks sinks,
      Store store,
      QueueRecovery.State recovered)
      throws StoreException {
    // After the recovery, which takes out what was never acked.
    QueueProperties fitting = settings.within(Runtime.getRuntime().maxMemory());
    var room = new PenRoom(pen, fitting, sinks.severalTenants());
    room.count(store);
    return room;
  }

  @Bean
  SyncerService syncerService(
      Store store,
      DurableMarks marks,
      Fence fence,
      QueueProperties settings,
      ObjectProvider<QueueObserver> observer,
      ProcessDeath death) {
    return new SyncerService(
        store,
        marks,
        fence,
        settings.maxRecords() + WriterService.MOST_COMMANDS,
        System::nanoTime,
        observer.getIfAvailable(() -> QueueObserver.NONE),
        cause -> death.die("highwater-syncer", cause));
  }

  @Bean
  WriterService writerService(
      Store store,
      DurableMarks marks,
      Fence fence,
      SyncerService syncer,
      StampClock clock,
      ObjectProvider<BacklogLimit> backlog,
      PenRoom pen,
      QueueProperties settings,
      ObjectProvider<QueueObserver> observer,
      ProcessDeath death) {
    return new WriterService(
        store,
        marks,
        fence,
        syncer,
        clock,
        backlog.getIfAvailable(() -> BacklogLimit.NONE),
        pen,
        settings.within(Runtime.getRuntime().maxMemory()),
        System::nanoTime,
        observer.getIfAvailable(() -> QueueObserver.NONE),
        cause -> death.die("highwater-writer", cause));
  }

  @Bean
  RepeatableWrites repeatableWrites(Store store, DurableMarks marks) {
    return new FencedStore(store, marks);
  }

  @Bean
  QueueInspector queueInspector(
      DurableMarks marks,
      Fence fence,
      WriterService writer,
      SyncerService syncer,
      IntakeBudget budget,
      StampClock clock,
      Store store) {
    return new QueueInspector(marks, fence, writer, syncer, budget, clock, store);
  }

  @Bean
  DurableMarkKeeper durableMarkKeeper(DurableMarks marks, StoreSettings settings, Store store) {
    var keeper = new DurableMarkKeeper(marks, new DurableMarkFile(settings.durableMark()));
    store.onTick(keeper::refresh);
    return keeper;
  }

  @Bean
  QueueLifecycle queueLifecycle(
      WriterService writer,
      SyncerService syncer,
      DurableMarkKeeper keeper,
      ObjectProvider<DurableListener> listeners,
      @Qualifier("writerExecutor") ThreadPoolExecutor writerExecutor,
      @Qualifier("syncerExecutor") ThreadPoolExecutor syncerExecutor) {
    List<DurableListener> all = listeners.orderedStream().toList();
    return new QueueLifecycle(writer, syncer, keeper, all, writerExecutor, syncerExecutor);
  }
}
