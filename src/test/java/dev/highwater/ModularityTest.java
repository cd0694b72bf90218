package dev.highwater;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;

/** The arrows between the rooms, as each room's package-info draws them. */
class ModularityTest {
  @Test
  void everyRoomUsesOnlyTheRoomsItSaysItUses() {
    ApplicationModules.of(Highwater.class).verify();
  }
}
