package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.highwater.hook.Answer;
import dev.highwater.hook.Hook;
import dev.highwater.hook.SourceRef;
import dev.highwater.store.Family;
import dev.highwater.store.RocksEngine;
import dev.highwater.store.Store;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreService;
import dev.highwater.store.StoreSettings;
import dev.highwater.store.StoreStats;
import dev.highwater.store.StoreUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.BeansException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * The write path as the service wires it, over RocksDB in a directory, with one source and one
 * sink. What it takes are {@link NumberedHook numbered hooks}. Any thread may submit.
 */
final class WritePathOnDisk implements AutoCloseable {
  static final SourceRef SOURCE = SourceRef.of("shop");
  private static final Duration RECOVERY = Duration.ofSeconds(20);
  private static final String SINK = "out";

  private final StoreService store;
  private final AnnotationConfigApplicationContext context;
  private final WriterService writer;
  private final IntakeBudget budget;
  private final int[] sinkIds;

  private WritePathOnDisk(StoreService store, AnnotationConfigApplicationContext context) {
    this.store = store;
    this.context = context;
    this.writer = context.getBean(WriterService.class);
    this.budget = context.getBean(IntakeBudget.class);
    this.sinkIds = new int[] {context.getBean(SinkIds.class).idOf(SOURCE, SINK)};
  }

  /** Opens the store, recovers it and starts. */
  static WritePathOnDisk open(StoreSettings settings) throws StoreException {
    return open(settings, QueueProperties.defaults(), InstantSource.system());
  }

  static WritePathOnDisk open(
      StoreSettings settings, QueueProperties queue, InstantSource wallClock)
      throws StoreException {
    var store = new StoreService(RocksEngine.factory(settings), settings, wallClock);
    store.start();
    var context = new AnnotationConfigApplicationContext();
    boolean started = false;
    try {
      context.registerBean(Store.class, () -> store);
      context.registerBean(StoreSettings.class, () -> settings);
      context.registerBean(InstantSource.class, () -> wallClock);
      context.registerBean(
          ConfiguredSinks.class,
          () -> new ConfiguredSinks(List.of(new ConfiguredSinks.Name(SOURCE, SINK))));
      context.registerBean(
          ProcessDeath.class,
          () ->
              (thread, cause) -> {
                cause.printStackTrace();
                Runtime.getRuntime().halt(70);
              });
      context.register(QueueConfiguration.class);
      context.refresh();
      var path = new WritePathOnDisk(store, context);
      started = true;
      return path;
    } catch (BeansException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof StoreException failure) {
          throw failure;
        }
      }
      throw e;
    } finally {
      if (!started) {
        context.close();
        store.close();
      }
    }
  }

  CompletableFuture<Answer> submit(NumberedHook hook) {
    Hook.Content content = hook.content();
    var permit = budget.enter(content.source().tenant());
    if (permit == null || !permit.grow(content.body().length)) {
      throw new IllegalStateException("no room");
    }
    return writer.submit(content, sinkIds, permit);
  }

  boolean accepts() {
    return writer.refusal() == null;
  }

  /** It must do so by itself. */
  void awaitAccepting() {
    await().atMost(RECOVERY).pollInterval(Duration.ofMillis(5)).until(this::accepts);
  }

  QueueStatus status() {
    return context.getBean(QueueInspector.class).status();
  }

  StoreStats storeStats() {
    return store.stats();
  }

  Store store() {
    return store;
  }

  List<Hook> hooks() throws StoreException {
    return StoredRows.hooks(store);
  }

  /**
   * Checks that the store holds what it must and nothing else.
   *
   * @param acked must be there, each once, with its bytes and the id that was answered
   * @param refused must not be there
   * @return the hooks that are there
   */
  List<Hook> mustHold(Collection<NumberedHook> acked, Set<NumberedHook> refused)
      throws StoreException {
    List<Hook> hooks = hooks();
    List<NumberedHook> stored = hooks.stream().map(NumberedHook::of).toList();
    assertThat(stored).as("stored once").doesNotHaveDuplicates();
    var found = new HashSet<>(stored);
    assertThat(acked).as("acked, so it is there").allMatch(found::contains);
    assertThat(stored).as("refused, so it is not there").noneMatch(refused::contains);
    assertThat(stored.stream().map(NumberedHook::number).toList())
        .as("one try of each at most")
        .doesNotHaveDuplicates();
    for (int i = 0; i < hooks.size(); i++) {
      assertThat(hooks.get(i).content().id()).isEqualTo(stored.get(i).id());
    }
    int count = hooks.size();
    assertThat(StoredRows.count(store, Family.DELIVERIES)).as("delivery rows").isEqualTo(count);
    assertThat(StoredRows.count(store, Family.INDEX))
        .as("for each hook: due, by id, dedupe key, its expiry")
        .isEqualTo(4 * count);
    return hooks;
  }

  /**
   * The same, where something in the background may have failed a moment ago: the store is then
   * reopened once more under the one who looks.
   */
  List<Hook> mustHoldWhenSettled(Collection<NumberedHook> acked, Set<NumberedHook> refused)
      throws StoreException {
    for (int look = 1; ; look++) {
      awaitAccepting();
      try {
        return mustHold(acked, refused);
      } catch (StoreUnavailableException e) {
        if (look == 10) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    context.close();
    store.close();
  }
}
