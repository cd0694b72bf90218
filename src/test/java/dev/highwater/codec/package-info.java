@NullMarked
package dev.highwater.codec;

import org.jspecify.annotations.NullMarked;
