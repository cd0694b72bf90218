/*
 * A disk that fails on purpose: preloaded, it stands before fdatasync, fsync, write, pwrite, read
 * and pread. The file named by DISKFAULT says what goes wrong, one rule a line, and is read again at
 * each call:
 *
 *     fdatasync .log delay 400 1      the next fdatasync of a path with ".log" in it takes 400 ms more
 *     fdatasync .log errno 5 1        the next one fails with EIO, without syncing
 *     pwrite MANIFEST errno 28 -1     every one fails with ENOSPC, until the rule is taken away
 *     write /db/ errno 5 1 after 6    six go well, the seventh fails
 *
 * The number before "after" is how often. Counting is per process and starts anew when the file
 * changes. A rule that struck is reported by appending "call path" to the file named by DISKFAULT_TRACE.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RULES 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char last_text[4096];
static long seen[RULES], used[RULES];
static __thread int inside;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static void path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, PATH_MAX - 1);
  path[n > 0 ? n : 0] = 0;
}

static void trace(const char *call, const char *path) {
  const char *file = getenv("DISKFAULT_TRACE");
  int fd = file ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (fd >= 0) {
    dprintf(fd, "%s %s\n", call, path);
    close(fd);
  }
}

/* The errno the call is to fail with, or 0; *delay_ms is how long it waits first. */
static int strike(const char *call, int fd, long *delay_ms) {
  const char *control = getenv("DISKFAULT");
  char text[4096], path[PATH_MAX];
  int error = 0, rule = 0;
  *delay_ms = 0;
  int file = control ? open(control, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  ssize_t n = read(file, text, sizeof text - 1);
  close(file);
  text[n > 0 ? n : 0] = 0;
  if (text[0] == 0) return 0;
  path_of(fd, path);
  pthread_mutex_lock(&lock);
  if (strcmp(text, last_text) != 0) {
    strcpy(last_text, text);
    memset(seen, 0, sizeof seen);
    memset(used, 0, sizeof used);
  }
  char *rest = text, *line;
  while (rule < RULES && (line = strsep(&rest, "\n")) != NULL) {
    char name[32], part[256], what[16];
    long value, count, after = 0;
    int i = rule++;
    if (sscanf(line, "%31s %255s %15s %ld %ld after %ld", name, part, what, &value, &count, &after) < 5) continue;
    if (strcmp(name, call) != 0 || strstr(path, part) == NULL) continue;
    if (seen[i]++ < after) continue;
    if (count >= 0 && used[i] >= count) continue;
    used[i]++;
    if (strcmp(what, "delay") == 0) *delay_ms += value;
    else if (error == 0) error = (int)value;
  }
  pthread_mutex_unlock(&lock);
  if (error || *delay_ms) trace(call, path);
  return error;
}

static int faulty(const char *call, int fd) {
  if (inside) return 0;
  inside = 1;
  long delay_ms;
  int error = strike(call, fd, &delay_ms);
  if (delay_ms > 0) {
    struct timespec t = {delay_ms / 1000, (delay_ms % 1000) * 1000000L};
    nanosleep(&t, NULL);
  }
  inside = 0;
  if (error) errno = error;
  return error;
}

int fdatasync(int fd) {
  static int (*next)(int);
  if (!next) next = real("fdatasync");
  return faulty("fdatasync", fd) ? -1 : next(fd);
}

int fsync(int fd) {
  static int (*next)(int);
  if (!next) next = real("fsync");
  return faulty("fsync", fd) ? -1 : next(fd);
}

ssize_t write(int fd, const void *bytes, size_t n) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = real("write");
  return faulty("write", fd) ? -1 : next(fd, bytes, n);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at) {
  static ssize_t (*next)(int, const void *, size_t, off_t);
  if (!next) next = real("pwrite");
  return faulty("pwrite", fd) ? -1 : next(fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
  static ssize_t (*next)(int, const void *, size_t, off64_t);
  if (!next) next = real("pwrite64");
  return faulty("pwrite", fd) ? -1 : next(fd, bytes, n, at);
}

ssize_t read(int fd, void *bytes, size_t n) {
  static ssize_t (*next)(int, void *, size_t);
  if (!next) next = real("read");
  return faulty("read", fd) ? -1 : next(fd, bytes, n);
}

ssize_t pread(int fd, void *bytes, size_t n, off_t at) {
  static ssize_t (*next)(int, void *, size_t, off_t);
  if (!next) next = real("pread");
  return faulty("pread", fd) ? -1 : next(fd, bytes, n, at);
}

ssize_t pread64(int fd, void *bytes, size_t n, off64_t at) {
  static ssize_t (*next)(int, void *, size_t, off64_t);
  if (!next) next = real("pread64");
  return faulty("pread", fd) ? -1 : next(fd, bytes, n, at);
}

/* What reads through a stream sees a short read that is not the end. */
#undef fread_unlocked
size_t fread_unlocked(void *bytes, size_t size, size_t n, FILE *stream) {
  static size_t (*next)(void *, size_t, size_t, FILE *);
  if (!next) next = real("fread_unlocked");
  return faulty("read", fileno(stream)) ? 0 : next(bytes, size, n, stream);
}
