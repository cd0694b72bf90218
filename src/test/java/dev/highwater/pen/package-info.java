@NullMarked
package dev.highwater.pen;

import org.jspecify.annotations.NullMarked;
