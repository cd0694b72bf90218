/** The program: main, wiring of the rooms, and the order in which they start and stop. */
@NullMarked
package dev.highwater;

import org.jspecify.annotations.NullMarked;
