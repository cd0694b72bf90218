package dev.highwater.source;

import dev.highwater.handshake.SourceHandshake;
import dev.highwater.hook.SourceRef;
import dev.highwater.signature.Verifier;
import java.util.List;
import java.util.Set;

/**
 * One source, ready to use. Immutable.
 *
 * @param ref its tenant and name
 * @param type the preset, as configured
 * @param verifier checks its requests
 * @param handshake answers what its provider asks before it sends hooks
 * @param dedupe finds the key of a verified request
 * @param maxBody the largest body it takes, in bytes
 * @param methods the methods that bring hooks; POST unless configured
 * @param success what a stored hook is answered with; the type's own answer unless configured
 * @param allowFrom the client addresses it takes hooks from; empty for all
 * @param rateLimits how much it takes
 * @param sinks where its hooks go; at least one, names unique
 */
public record Source(
    SourceRef ref,
    String type,
    Verifier verifier,
    SourceHandshake handshake,
    DedupeRule dedupe,
    long maxBody,
    Set<String> methods,
    SuccessAnswer success,
    List<AddressRange> allowFrom,
    RateLimits rateLimits,
    List<SinkDefinition> sinks) {}
