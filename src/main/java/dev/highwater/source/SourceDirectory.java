package dev.highwater.source;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The sources there are. Any thread may call; a look-up of an unknown name costs no memory. */
public interface SourceDirectory {
  @Nullable Source find(String tenant, String name);

  /** All of them, ordered by tenant and name. */
  Collection<Source> all();
}
