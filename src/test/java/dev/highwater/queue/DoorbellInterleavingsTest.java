package dev.highwater.queue;

import static dev.highwater.queue.Interleavings.atOnce;
import static dev.highwater.queue.Interleavings.must;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The bell at which the writer waits, whatever the interleaving. */
class DoorbellInterleavingsTest {
  @Test
  void whoeverGoesToWaitWhileSomethingIsBroughtSeesItOrIsWoken() {
    Interleavings.check(
        () -> new House(),
        house ->
            atOnce(
                () -> {
                  if (house.letters.poll() == null) {
                    house.bell.await(house.letters::isEmpty, 1);
                  }
                },
                () -> {
                  house.letters.add("a letter");
                  house.bell.ring();
                  house.gone.set(true);
                }));
  }

  /** Nobody really sleeps in it: it is enough to know that the sleep would never end. */
  private static final class House {
    final Queue<String> letters = new ConcurrentLinkedQueue<>();
    final AtomicBoolean gone = new AtomicBoolean();
    final AtomicBoolean woken = new AtomicBoolean();
    final Doorbell bell = new Doorbell(nanos -> sleep(), thread -> woken.set(true));

    private void sleep() {
      must(!gone.get() || woken.get(), "it sleeps, and whoever could ring has gone");
    }
  }
}
