package dev.highwater.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.Endurance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a child, because what this looks for ends the process. */
class CloseRaceTest {
  @TempDir Path home;

  @Test
  void theProcessSurvivesClosingsAndReopeningsUnderItsReaders() throws Exception {
    var disk = DiskFault.build(home);
    Assumptions.assumeTrue(disk.isPresent(), "gcc is needed");
    int cycles = Endurance.rounds(20, 200);
    String printed =
        disk.orElseThrow()
            .run(
                Duration.ofMinutes(10),
                CloseRaceScenario.class,
                Files.createDirectory(home.resolve("data")).toString(),
                Integer.toString(cycles),
                Long.toString(Endurance.seed(CloseRaceTest.class)));
    assertThat(printed).contains("passed " + cycles + " cycles");
    System.out.print(printed.lines().filter(line -> line.contains("passed")).toList() + "\n");
  }
}
