package dev.highwater.queue;

import static dev.highwater.queue.Interleavings.must;

import dev.highwater.queue.IntakeRoom.Permit;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The room for hooks between threads, whatever the interleaving (G13). */
class IntakeBudgetInterleavingsTest {
  private static final int MOST_RECORDS = 2;
  private static final int MOST_BYTES = 100;

  /** Two want in where there is room for one more. */
  @Test
  void noMoreRecordsEnterThanThereIsRoomFor() {
    Interleavings.check(
        () -> new IntakeBudget(MOST_RECORDS, MOST_BYTES, () -> false),
        budget -> {
          Queue<Permit> inside = new ConcurrentLinkedQueue<>();
          inside.add(entered(budget.enter("a")));
          Interleavings.atOnce(() -> visit(budget, "a", inside), () -> visit(budget, "b", inside));
          must(inside.size() == MOST_RECORDS, inside.size() + " are inside");
          inside.forEach(Permit::close);
          mustBeEmpty(budget);
        });
  }

  /** Each body fits, and not the two of them. */
  @Test
  void noMoreBytesAreTakenThanThereIsRoomFor() {
    Interleavings.check(
        () -> new IntakeBudget(MOST_RECORDS, MOST_BYTES, () -> false),
        budget -> {
          var taken = new AtomicInteger();
          Runnable body =
              () -> {
                try (Permit permit = entered(budget.enter("a"))) {
                  int mine = 0;
                  for (int piece : new int[] {60, 20}) {
                    if (permit.grow(piece)) {
                      mine += piece;
                      int all = taken.addAndGet(piece);
                      must(all <= MOST_BYTES, all + " bytes are taken");
                    }
                  }
                  taken.addAndGet(-mine);
                }
              };
          Interleavings.atOnce(body, body);
          mustBeEmpty(budget);
        });
  }

  /** A body above the whole bound is let in alone; two of them are never in at once. */
  @Test
  void oneBodyAboveTheBoundIsLetInAndNotTwo() {
    Interleavings.check(
        () -> new IntakeBudget(MOST_RECORDS, MOST_BYTES, () -> false),
        budget -> {
          var large = new AtomicInteger();
          Runnable body =
              () -> {
                try (Permit permit = entered(budget.enter("a"))) {
                  if (permit.grow(3 * MOST_BYTES)) {
                    must(large.incrementAndGet() == 1, "two are alone");
                    large.decrementAndGet();
                  }
                }
              };
          Interleavings.atOnce(body, body);
          mustBeEmpty(budget);
        });
  }

  /** Being alone lets it have more than its half, and not while another of its bodies grows. */
  @Test
  void aTenantAboveItsHalfHasOneBodyAndNoOther() {
    Interleavings.check(
        () -> new IntakeBudget(2 * MOST_RECORDS, MOST_BYTES, () -> true),
        budget -> {
          var grown = new AtomicInteger();
          try (Permit large = entered(budget.enter("a"));
              Permit small = entered(budget.enter("a"))) {
            Interleavings.atOnce(
                () -> grown.addAndGet(large.grow(60) ? 1 : 0),
                () -> grown.addAndGet(small.grow(10) ? 1 : 0));
            must(grown.get() <= 1, "it has 70 of 100 bytes in two bodies");
          }
          mustBeEmpty(budget);
        });
  }

  /** One tenant is at its half and goes on knocking; the other half is the others' (G10). */
  @Test
  void whoIsRefusedAtTheHalfTakesNothingFromTheOthersNotForAMomentEither() {
    Interleavings.check(
        () -> new IntakeBudget(2 * MOST_RECORDS, MOST_BYTES, () -> true),
        budget -> {
          try (Permit first = entered(budget.enter("flood"));
              Permit second = entered(budget.enter("flood"));
              Permit third = entered(budget.enter("others"))) {
            must(first.grow(MOST_BYTES / 2), "half is for one tenant");
            Interleavings.atOnce(
                () -> {
                  must(budget.enter("flood") == null, "a third record of the flood is in");
                  must(!second.grow(1), "a byte above its half is in");
                },
                () -> {
                  must(third.grow(MOST_BYTES / 2), "the others have no room for their bytes");
                  entered(budget.enter("others")).close();
                });
          }
          mustBeEmpty(budget);
        });
  }

  /** An answer and a client that leaves may both close it. */
  @Test
  void aPermitGivesItsRoomBackOnceWhoeverClosesIt() {
    Interleavings.check(
        () -> new IntakeBudget(MOST_RECORDS, MOST_BYTES, () -> false),
        budget -> {
          Permit permit = entered(budget.enter("a"));
          must(permit.grow(60), "there is room");
          Interleavings.atOnce(permit::close, permit::close);
          mustBeEmpty(budget);
        });
  }

  private static void visit(IntakeBudget budget, String tenant, Queue<Permit> inside) {
    Permit permit = budget.enter(tenant);
    if (permit != null) {
      inside.add(permit);
    }
  }

  private static Permit entered(@Nullable Permit permit) {
    return Objects.requireNonNull(permit, "there is room for a record");
  }

  private static void mustBeEmpty(IntakeBudget budget) {
    must(budget.records() == 0, budget.records() + " records are left");
    must(budget.bytes() == 0, budget.bytes() + " bytes are left");
  }
}
