package dev.highwater.sink;

import dev.highwater.hook.Hook;

/**
 * One try to deliver a hook.
 *
 * @param hook what to deliver; its body unchanged
 * @param number 1 for the first
 */
public record Attempt(Hook hook, int number) {}
