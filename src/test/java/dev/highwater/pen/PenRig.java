package dev.highwater.pen;

import static dev.highwater.queue.WritePathRig.SINK;

import dev.highwater.codec.Keys;
import dev.highwater.handshake.SourceHandshake;
import dev.highwater.hook.DedupeKey;
import dev.highwater.hook.HookId;
import dev.highwater.hook.PenEntry;
import dev.highwater.hook.SourceRef;
import dev.highwater.hook.Verification;
import dev.highwater.queue.WritePathRig;
import dev.highwater.signature.FailureReason;
import dev.highwater.signature.VerifiedRequest;
import dev.highwater.signature.Verifier;
import dev.highwater.source.RateLimits;
import dev.highwater.source.SinkDefinition;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import dev.highwater.source.SuccessAnswer;
import dev.highwater.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A pen over the write path of a rig, and a source whose secrets are in the test's hands. */
public final class PenRig {
  /** Whether the secrets of today are the right ones. */
  public volatile boolean verifies = true;

  public volatile boolean isConfigured = true;
  volatile boolean backlogIsFull;

  /** The arrival of what was verified last. */
  volatile long verifiedAt;

  private final PenRig settings;
  final Pen pen;

  public PenRig(WritePathRig rig) {
    this(rig, null);
  }

  private PenRig(WritePathRig rig, @Nullable PenRig former) {
    this.settings = former == null ? this : former.settings;
    this.pen =
        new Pen(
            rig.store,
            rig.inspector,
            rig.writer,
            rig.room,
            source -> backlogIsFull,
            new OneSource(settings),
            (source, sink) -> SINK);
  }

  /** The same source, over another process. */
  public PenRig over(WritePathRig next) {
    return new PenRig(next, this);
  }

  private record OneSource(PenRig rig) implements SourceDirectory {
    @Override
    public @Nullable Source find(String tenant, String name) {
      var ref = new SourceRef(tenant, name);
      return rig.isConfigured && ref.equals(WritePathRig.SOURCE) ? rig.source(ref) : null;
    }

    @Override
    public Collection<Source> all() {
      return List.of(rig.source(WritePathRig.SOURCE));
    }
  }

  private Source source(SourceRef ref) {
    Verifier strict =
        request -> {
          verifiedAt = request.receivedAt();
          return verifies
              ? new Verifier.Verified(new VerifiedRequest(request, Verification.VERIFIED))
              : new Verifier.Failed(FailureReason.NO_MATCH);
        };
    return new Source(
        ref,
        "github",
        strict.quarantining(),
        SourceHandshake.NONE,
        verified -> keyOf(verified.request().headers().first("X-Key")),
        1 << 20,
        Set.of("POST"),
        SuccessAnswer.USUAL,
        List.of(),
        RateLimits.NONE,
        List.of(new SinkDefinition("out", "log", Map.of())));
  }

  private static @Nullable DedupeKey keyOf(@Nullable String key) {
    return key == null
        ? null
        : new DedupeKey(key.getBytes(StandardCharsets.UTF_8), Duration.ofDays(3));
  }

  public CompletableFuture<ReleaseOutcome> release(HookId id) throws StoreException {
    return pen.release(id);
  }

  public CompletableFuture<PurgeOutcome> purge(HookId id) throws StoreException {
    return pen.purge(id);
  }

  public @Nullable PenEntry read(HookId id) throws StoreException {
    return pen.read(id);
  }

  /** The ids that wait of the rig's source, the newest first. */
  List<HookId> ids() throws StoreException {
    return pen.list(WritePathRig.SOURCE, Long.MAX_VALUE, Pen.MOST_ROWS).rows().stream()
        .map(Keys.PenRow::id)
        .toList();
  }

  String body(HookId id) throws StoreException {
    PenEntry entry = pen.read(id);
    return entry == null
        ? "nothing"
        : new String(entry.held().content().body(), StandardCharsets.UTF_8);
  }
}
