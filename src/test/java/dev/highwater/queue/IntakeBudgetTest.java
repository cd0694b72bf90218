package dev.highwater.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.queue.IntakeRoom.Permit;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class IntakeBudgetTest {
  private static Permit enter(IntakeBudget budget, String tenant) {
    return Objects.requireNonNull(budget.enter(tenant));
  }

  @Test
  void recordsAreBoundedAndComeBack() {
    var budget = new IntakeBudget(2, 100, () -> false);
    var first = enter(budget, "a");
    enter(budget, "a");
    assertThat(budget.enter("a")).isNull();
    first.close();
    first.close();
    assertThat(budget.records()).isEqualTo(1);
    assertThat(budget.enter("a")).isNotNull();
  }

  @Test
  void bytesAreBoundedAsTheyArrive() {
    var budget = new IntakeBudget(10, 100, () -> false);
    var first = enter(budget, "a");
    var second = enter(budget, "a");
    assertThat(first.grow(60)).isTrue();
    assertThat(second.grow(40)).isTrue();
    assertThat(second.grow(1)).isFalse();
    first.close();
    assertThat(second.grow(60)).isTrue();
    second.close();
    assertThat(budget.bytes()).isZero();
  }

  @Test
  void aBodyLargerThanAllIsLetInAlone() {
    var budget = new IntakeBudget(10, 100, () -> true);
    var large = enter(budget, "a");
    assertThat(large.grow(90)).isTrue();
    assertThat(large.grow(900)).isTrue();
    var other = enter(budget, "b");
    assertThat(other.grow(1)).isFalse();
    large.close();
    assertThat(other.grow(1)).isTrue();
  }

  @Test
  void whereTenantsShareOneGetsHalfAtMost() {
    var budget = new IntakeBudget(4, 100, () -> true);
    var first = enter(budget, "a");
    var second = enter(budget, "a");
    assertThat(budget.enter("a")).isNull();
    var other = enter(budget, "b");
    assertThat(other.grow(1)).isTrue();
    assertThat(first.grow(50)).isTrue();
    assertThat(second.grow(1)).isFalse();
    assertThat(other.grow(49)).isTrue();
  }
}
