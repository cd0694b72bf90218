package benchmark.server;

import dev.highwater.Highwater;
import dev.highwater.store.Batch;
import dev.highwater.store.Family;
import dev.highwater.store.RocksEngine;
import dev.highwater.store.StorageEngine;
import dev.highwater.store.StoreException;
import dev.highwater.store.StoreService;
import dev.highwater.store.StoreSettings;
import java.time.Clock;
import java.util.List;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Row d: Highwater as it would be without the pipeline. The writer itself syncs each group after
 * its write and takes the next group only then; the syncer, which still gives the answers, finds
 * nothing left to sync. Everything else is the product's own classes. There is no setting for this
 * in the product.
 */
public final class SyncPerGroup {
  private SyncPerGroup() {}

  /** Arguments as Highwater's. */
  public static void main(String[] args) {
    new SpringApplicationBuilder(Highwater.class)
        .initializers(SyncPerGroup::replaceTheStore)
        .run(args);
  }

  private static void replaceTheStore(ConfigurableApplicationContext context) {
    context.addBeanFactoryPostProcessor(
        beans -> {
          var registry = (BeanDefinitionRegistry) beans;
          registry.removeBeanDefinition("storeService");
          registry.registerBeanDefinition(
              "storeService",
              BeanDefinitionBuilder.genericBeanDefinition(
                      StoreService.class,
                      () -> open(beans.getBean(StoreSettings.class), beans.getBean(Clock.class)))
                  .setDestroyMethodName("close")
                  .getBeanDefinition());
        });
  }

  private static StoreService open(StoreSettings settings, Clock clock) {
    StorageEngine.Factory rocks = RocksEngine.factory(settings);
    var factory =
        new StorageEngine.Factory() {
          @Override
          public StorageEngine open() throws StoreException {
            return new SyncedByTheWriter(rocks.open());
          }

          @Override
          public StorageEngine.Hold hold() throws StoreException {
            return rocks.hold();
          }
        };
    var store = new StoreService(factory, settings, clock);
    try {
      store.start();
    } catch (StoreException e) {
      throw new IllegalStateException(e);
    }
    return store;
  }

  private record SyncedByTheWriter(StorageEngine engine) implements StorageEngine {
    private static final String WRITER = "highwater-writer";
    private static final String SYNCER = "highwater-syncer";

    @Override
    public void write(Batch batch, boolean sync) throws StoreException {
      engine.write(batch, sync);
      if (!sync && Thread.currentThread().getName().startsWith(WRITER)) {
        engine.syncWal();
      }
    }

    @Override
    public void syncWal() throws StoreException {
      if (!Thread.currentThread().getName().startsWith(SYNCER)) {
        engine.syncWal();
      }
    }

    @Override
    public byte[] get(Family family, byte[] key) throws StoreException {
      return engine.get(family, key);
    }

    @Override
    public List<byte[]> multiGet(Family family, List<byte[]> keys) throws StoreException {
      return engine.multiGet(family, keys);
    }

    @Override
    public Cursor scan(Family family, byte[] lower, byte[] upper, Direction direction)
        throws StoreException {
      return engine.scan(family, lower, upper, direction);
    }

    @Override
    public dev.highwater.store.EngineStats stats() {
      return engine.stats();
    }

    @Override
    public String backgroundError() {
      return engine.backgroundError();
    }

    @Override
    public void close() throws StoreException {
      engine.close();
    }
  }
}
