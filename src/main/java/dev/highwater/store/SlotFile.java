package dev.highwater.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A small file that is always whole. It has two slots of 4 KiB and is never made longer, so that it
 * can be written on a full disk once it is there. A write goes to the slot that is not the newest
 * and is fsynced; a crash in it leaves the other slot. Any thread may call.
 *
 * <pre>
 * slot   magic(4) "HWS1"  generation(8)  length(4)  payload  CRC-32C of all of that(4)
 * </pre>
 *
 * <p>A file in which neither slot holds is damaged, which is not the same as not being there (G8).
 */
public final class SlotFile {
  /** The longest payload, in bytes. */
  public static final int MAX_PAYLOAD = 256;

  private static final int SLOT = 4096;
  private static final int MAGIC = 0x48575331;
  private static final int OVERHEAD = 4 + 8 + 4 + 4;

  private final Path file;
  private @Nullable Slot newest;
  private boolean known;

  private record Slot(int index, long generation, byte[] payload) {}

  public SlotFile(Path file) {
    this.file = file;
  }

  /**
   * The newest payload, or null if there is no file.
   *
   * @throws StoreException if the file is damaged or cannot be read; the message names it
   */
  public synchronized byte @Nullable [] read() throws StoreException {
    var slot = readNewest();
    newest = slot;
    known = true;
    return slot == null ? null : slot.payload().clone();
  }

  /**
   * Replaces the payload; it is on disk when this returns. Creates the file if need be, which is
   * the only time it takes disk.
   *
   * @throws StoreException if it cannot be written; what {@link #read} gives is then the payload of
   *     before or this one. Also if the file is damaged: what it said must not be lost unseen
   */
  public synchronized void write(byte[] payload) throws StoreException {
    if (payload.length > MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          "a payload has at most " + MAX_PAYLOAD + " bytes, not " + payload.length);
    }
    if (!known) {
      read();
    }
    var before = newest;
    try {
      if (before == null) {
        var first = new Slot(0, 1, payload.clone());
        create(first);
        newest = first;
      } else {
        var next = new Slot(1 - before.index(), before.generation() + 1, payload.clone());
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          writeFully(channel, encode(next), (long) next.index() * SLOT);
          channel.force(false);
        }
        newest = next;
      }
    } catch (IOException e) {
      throw new StoreException("cannot write " + file + ": " + e, e);
    }
  }

  /** Removes the file, damaged or not; it is gone from the disk when this returns. */
  public synchronized void delete() throws StoreException {
    try {
      newest = null;
      known = true;
      if (Files.deleteIfExists(file)) {
        syncDirectory();
      }
    } catch (IOException e) {
      throw new StoreException("cannot delete " + file + ": " + e, e);
    }
  }

  private void create(Slot first) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try (var channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      writeFully(channel, encode(first), 0);
      writeFully(channel, ByteBuffer.allocate(SLOT), SLOT);
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    syncDirectory();
  }

  private void syncDirectory() throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private @Nullable Slot readNewest() throws StoreException {
    byte[] content;
    try (var in = Files.newInputStream(file)) {
      content = in.readNBytes(2 * SLOT);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new StoreException("cannot read " + file + ": " + e, e);
    }
    var first = decode(content, 0);
    var second = decode(content, 1);
    if (first == null && second == null) {
      throw new StoreException(file + " is damaged: neither of its slots holds");
    }
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    return first.generation() > second.generation() ? first : second;
  }

  private static ByteBuffer encode(Slot slot) {
    var buffer = ByteBuffer.allocate(SLOT);
    buffer.putInt(MAGIC).putLong(slot.generation()).putInt(slot.payload().length);
    buffer.put(slot.payload());
    buffer.putInt(crc(buffer.array(), 0, buffer.position()));
    return buffer.rewind();
  }

  private static @Nullable Slot decode(byte[] content, int index) {
    int at = index * SLOT;
    if (content.length < at + SLOT) {
      return null;
    }
    var buffer = ByteBuffer.wrap(content, at, SLOT);
    int magic = buffer.getInt();
    long generation = buffer.getLong();
    int length = buffer.getInt();
    if (magic != MAGIC || length < 0 || length > SLOT - OVERHEAD) {
      return null;
    }
    byte[] payload = new byte[length];
    buffer.get(payload);
    int expected = crc(content, at, buffer.position() - at);
    return buffer.getInt() == expected ? new Slot(index, generation, payload) : null;
  }

  private static int crc(byte[] bytes, int from, int length) {
    var crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  private static void writeFully(FileChannel channel, ByteBuffer buffer, long at)
      throws IOException {
    long position = at;
    while (buffer.hasRemaining()) {
      position += channel.write(buffer, position);
    }
  }
}
