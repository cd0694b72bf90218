package dev.highwater.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RocksDB itself on a disk that is slow, fails once, or is full. */
class DiskFaultTest {
  @TempDir Path directory;
  private Optional<DiskFault> fault = Optional.empty();

  @BeforeEach
  void build() throws Exception {
    fault = DiskFault.build(directory);
    Assumptions.assumeTrue(fault.isPresent(), "gcc is needed");
  }

  /**
   * Each of these runs in a child of its own: a write goes on while a sync is slow; a failed sync
   * or write stays failed until the database is opened again, after EIO and after ENOSPC, from
   * which RocksDB would like to recover behind our back; a store on a full disk opens again when
   * there is space.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {"slow-sync", "failed-sync", "full-disk", "failed-write", "full-disk-recovers"})
  void holds(String scenario) throws Exception {
    var disk = fault.orElseThrow();
    String printed =
        disk.run(
            DiskFaultScenarios.class,
            scenario,
            Files.createDirectory(directory.resolve("data")).toString());
    assertThat(printed).contains("passed " + scenario);
    assertThat(disk.struck()).as("the fault was met").isNotEmpty();
  }
}
