package dev.highwater.ingest;

import static java.util.Objects.requireNonNull;

import dev.highwater.hook.Answer;
import dev.highwater.hook.Hook;
import dev.highwater.hook.SourceRef;
import dev.highwater.queue.HookIntake;
import dev.highwater.queue.IntakeRoom;
import dev.highwater.queue.SinkIds;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A queue whose answers and bounds are in the test's hands. */
final class FakeQueue implements HookIntake, IntakeRoom, SinkIds {
  final List<Hook.Content> submitted = new CopyOnWriteArrayList<>();
  final List<int[]> sinks = new CopyOnWriteArrayList<>();
  final List<Hook.Content> quarantined = new CopyOnWriteArrayList<>();
  final List<String> reasons = new CopyOnWriteArrayList<>();
  final AtomicInteger openPermits = new AtomicInteger();
  final AtomicLong openBytes = new AtomicLong();
  final AtomicLong mostBytes = new AtomicLong();
  final AtomicInteger closedTwice = new AtomicInteger();

  volatile Answer.@Nullable Refused refusal;
  volatile boolean full;
  volatile long byteBound = Long.MAX_VALUE;
  volatile Function<Hook.Content, CompletableFuture<Answer>> answers = FakeQueue::stored;

  volatile Function<Hook.Content, CompletableFuture<Answer>> penAnswers = FakeQueue::penned;

  void reset() {
    submitted.clear();
    sinks.clear();
    quarantined.clear();
    reasons.clear();
    penAnswers = FakeQueue::penned;
    mostBytes.set(0);
    refusal = null;
    full = false;
    byteBound = Long.MAX_VALUE;
    answers = FakeQueue::stored;
  }

  private static CompletableFuture<Answer> stored(Hook.Content content) {
    return CompletableFuture.completedFuture(new Answer.Stored(content.id()));
  }

  private static CompletableFuture<Answer> penned(Hook.Content content) {
    return CompletableFuture.completedFuture(new Answer.Quarantined(content.id()));
  }

  void answerWith(Answer answer) {
    answers = content -> CompletableFuture.completedFuture(answer);
  }

  Hook.Content only() {
    if (submitted.size() != 1) {
      throw new AssertionError(submitted.size() + " hooks were submitted, not 1");
    }
    return requireNonNull(submitted.getFirst());
  }

  @Override
  public Answer.@Nullable Refused refusal() {
    return refusal;
  }

  @Override
  public CompletableFuture<Answer> submit(Hook.Content content, int[] sinkIds, Permit permit) {
    submitted.add(content);
    sinks.add(sinkIds);
    return answers.apply(content).whenComplete((value, failure) -> permit.close());
  }

  @Override
  public CompletableFuture<Answer> quarantine(Hook.Content content, String reason, Permit permit) {
    quarantined.add(content);
    reasons.add(reason);
    return penAnswers.apply(content).whenComplete((value, failure) -> permit.close());
  }

  @Override
  public @Nullable Permit enter(String tenant) {
    return full ? null : new Counted();
  }

  @Override
  public int idOf(SourceRef source, String sink) {
    return switch (sink) {
      case "first" -> 1;
      case "second" -> 2;
      default -> throw new IllegalArgumentException(sink);
    };
  }

  private final class Counted implements Permit {
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicLong bytes = new AtomicLong();

    Counted() {
      openPermits.incrementAndGet();
    }

    @Override
    public boolean grow(int more) {
      if (openBytes.get() + more > byteBound) {
        return false;
      }
      bytes.addAndGet(more);
      long open = openBytes.addAndGet(more);
      mostBytes.accumulateAndGet(open, Math::max);
      return true;
    }

    @Override
    public void close() {
      if (!closed.compareAndSet(false, true)) {
        closedTwice.incrementAndGet();
        return;
      }
      openBytes.addAndGet(-bytes.get());
      openPermits.decrementAndGet();
    }
  }
}
