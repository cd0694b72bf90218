package dev.highwater.store;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

public final class SlotFile {
  public SlotFile(Path path) {}

  public byte @Nullable [] read() throws IOException {
    return null;
  }

  public void write(byte[] payload) throws IOException {}
}
