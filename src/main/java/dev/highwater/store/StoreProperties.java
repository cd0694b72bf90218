package dev.highwater.store;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the store.
 *
 * @param minFree below this much free disk new hooks are refused; 0 never looks
 * @param ballast size of a file that is kept only to be deleted when the disk is full; 0 or at
 *     least max-wal
 * @param cache memory outside the heap for blocks, indexes, filters and memtables
 * @param memtables the part of it for rows that are not in table files yet
 * @param writeBuffer when the rows of one family go to a table file
 * @param maxWal the longest the log gets before the oldest rows go to table files
 * @param acceptLoss open although acknowledged hooks are missing; only to be set for one start,
 *     after reading what it said
 */
@ConfigurationProperties("highwater.store")
public record StoreProperties(
    @DefaultValue("512MB") DataSize minFree,
    @DefaultValue("192MB") DataSize ballast,
    @DefaultValue("256MB") DataSize cache,
    @DefaultValue("128MB") DataSize memtables,
    @DefaultValue("32MB") DataSize writeBuffer,
    @DefaultValue("128MB") DataSize maxWal,
    @DefaultValue("false") boolean acceptLoss) {

  /**
   * The same with what is not for configuring.
   *
   * @throws IllegalArgumentException if a setting is out of its bounds or contradicts another;
   *     names the keys
   */
  public StoreSettings in(Path directory) {
    StoreSettings usual = StoreSettings.defaults(directory);
    return new StoreSettings(
        directory,
        minFree.toBytes(),
        ballast.toBytes(),
        usual.tick(),
        usual.reopenMinInterval(),
        usual.reopenBackoff(),
        usual.reopenBackoffMax(),
        cache.toBytes(),
        memtables.toBytes(),
        writeBuffer.toBytes(),
        usual.writeBuffers(),
        maxWal.toBytes(),
        acceptLoss);
  }
}
