@NullMarked
package dev.highwater.queue;

import org.jspecify.annotations.NullMarked;
