package dev.highwater.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlotFileTest {
  @TempDir Path directory;
  private Path path;

  @BeforeEach
  void place() {
    path = directory.resolve("slots");
  }

  @Test
  void whatWasWrittenLastIsRead() throws Exception {
    var file = new SlotFile(path);
    assertThat(file.read()).isNull();
    for (byte i = 0; i < 7; i++) {
      file.write(new byte[] {i, i});
      assertThat(new SlotFile(path).read()).containsExactly(i, i);
    }
    file.write(new byte[0]);
    assertThat(new SlotFile(path).read()).isEmpty();
  }

  @Test
  void theFileNeverGrowsAfterItsCreation() throws Exception {
    var file = new SlotFile(path);
    file.write(new byte[] {1});
    long size = Files.size(path);
    file.write(new byte[SlotFile.MAX_PAYLOAD]);
    file.write(new byte[SlotFile.MAX_PAYLOAD]);
    assertThat(Files.size(path)).isEqualTo(size).isEqualTo(8192);
    assertThat(directory).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void aWriteThatWasTornLeavesTheOneBefore() throws Exception {
    var file = new SlotFile(path);
    file.write(new byte[] {1});
    file.write(new byte[] {2});
    breakSlot(1);
    assertThat(new SlotFile(path).read()).containsExactly(1);

    var next = new SlotFile(path);
    next.write(new byte[] {3});
    assertThat(new SlotFile(path).read()).containsExactly(3);
    breakSlot(1);
    assertThat(new SlotFile(path).read())
        .as("the write went to the broken slot")
        .containsExactly(1);
  }

  @Test
  void noSlotThatHoldsIsDamageAndNotAbsence() throws Exception {
    var file = new SlotFile(path);
    file.write(new byte[] {1});
    file.write(new byte[] {2});
    breakSlot(0);
    breakSlot(1);
    assertThatThrownBy(() -> new SlotFile(path).read())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(path + " is damaged");
    assertThatThrownBy(() -> new SlotFile(path).write(new byte[] {9}))
        .as("what it said is not overwritten unseen")
        .isInstanceOf(StoreException.class);
  }

  @Test
  void anEmptyFileIsDamaged() throws Exception {
    Files.createFile(path);
    assertThatThrownBy(() -> new SlotFile(path).read()).hasMessageContaining("is damaged");
  }

  @Test
  void aDirectoryInItsPlaceIsAnErrorAndNotAbsence() throws Exception {
    Files.createDirectory(path);
    assertThatThrownBy(() -> new SlotFile(path).read()).isInstanceOf(StoreException.class);
  }

  @Test
  void aDeletedFileIsAbsentAndCanBeWrittenAgain() throws Exception {
    var file = new SlotFile(path);
    file.write(new byte[] {1});
    file.delete();
    assertThat(path).doesNotExist();
    assertThat(file.read()).isNull();
    file.write(new byte[] {2});
    assertThat(new SlotFile(path).read()).containsExactly(2);
  }

  @Test
  void aMarkNeverGoesDown() throws Exception {
    var mark = new DurableMarkFile(path);
    assertThat(mark.read()).isZero();
    mark.write(7);
    mark.write(5);
    assertThat(new DurableMarkFile(path).read()).isEqualTo(7);
    new DurableMarkFile(path).write(6);
    assertThat(new DurableMarkFile(path).read()).isEqualTo(7);
  }

  private void breakSlot(int index) throws Exception {
    try (var bytes = new RandomAccessFile(path.toFile(), "rw")) {
      bytes.seek(index * 4096L + 16);
      int value = bytes.read();
      bytes.seek(index * 4096L + 16);
      bytes.write(value ^ 1);
    }
  }
}
