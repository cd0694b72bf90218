package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.HookId;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HookIdsTest {

  @Test
  void anIdIsAUuidOfVersion7WithItsTime() {
    UUID id = UUID.fromString(new HookIds().next(1_700_000_000_123L).toString());
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(1_700_000_000_123L);
  }

  @Test
  void idsOfOneMillisecondDifferAcrossThreads() {
    var ids = new HookIds();
    Set<HookId> seen = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 200_000).parallel().forEach(i -> seen.add(ids.next(1)));
    assertThat(seen).hasSize(200_000);
  }

  @Test
  void twoNodesMakeDifferentIds() {
    Set<HookId> seen = new HashSet<>();
    for (int node = 0; node < 100; node++) {
      var ids = new HookIds();
      for (int i = 0; i < 100; i++) {
        seen.add(ids.next(1));
      }
    }
    assertThat(seen).hasSize(10_000);
  }
}
