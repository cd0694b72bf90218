package dev.highwater.signature;

import dev.highwater.hook.Verification;

/**
 * A request that may be taken in: it was checked, or its source checks nothing, or it failed and
 * its source takes it all the same. Only a {@link Verifier} makes one.
 *
 * @param request what was received
 * @param verification how it was checked
 */
public record VerifiedRequest(UnverifiedRequest request, Verification verification) {}
