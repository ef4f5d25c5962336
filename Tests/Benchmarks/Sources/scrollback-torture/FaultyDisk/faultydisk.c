// A disk that fails on demand: loaded before a program's libraries (LD_PRELOAD), it stands between the program and what
// changes files. The environment tells it what to do; without FAULTY_DISK_ROOT it does nothing.
//
//   FAULTY_DISK_ROOT   only files below this folder are looked at (an absolute path without links)
//   FAULTY_DISK_KINDS  the calls that are counted, by letters: w write, t truncate, s sync, c create, r rename,
//                      u unlink, l link, d make folder
//   FAULTY_DISK_AT     the number of the call at which something is done, from 1
//   FAULTY_DISK_FOR    to how many calls from there on; 0: to all of them
//   FAULTY_DISK_DO     eio, enospc: the call fails · short: half of a write is done, and it says so, then ENOSPC ·
//                      tear: half of a write is done, and it says that all was · forget: nothing is done, and it says that
//                      all was · delay: it takes 50 ms · before, torn, after: the process is killed there
//   FAULTY_DISK_TRACE  a file to which all calls that have changed something are written, in their order
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>


enum action { NONE, EIO_, ENOSPC_, SHORT, TEAR, FORGET, DELAY, BEFORE, TORN, AFTER };

static const char *root, *kinds;
static size_t root_length;
static long first_call, call_count, calls_seen;
static enum action chosen;
static int trace = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// The function of the C library, whose place ours has taken.
static long (*kernel)(long, ...);

static long number(const char *name, long otherwise) {
  const char *value = getenv(name);
  return value ? atol(value) : otherwise;
}

static void configure(void) {
  static const char *const names[] = {"",     "eio",    "enospc", "short", "tear", "forget",
                                      "delay", "before", "torn",   "after"};
  kernel = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  root = getenv("FAULTY_DISK_ROOT");
  if (!root) return;
  root_length = strlen(root);
  kinds = getenv("FAULTY_DISK_KINDS");
  first_call = number("FAULTY_DISK_AT", 0);
  call_count = number("FAULTY_DISK_FOR", 1);
  const char *action = getenv("FAULTY_DISK_DO");
  for (int i = 1; action && i <= AFTER; i++) {
    if (strcmp(action, names[i]) == 0) chosen = (enum action)i;
  }
  const char *path = getenv("FAULTY_DISK_TRACE");
  if (path) trace = (int)kernel(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int is_below_root(const char *path) {
  pthread_once(&once, configure);
  return root && path && strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0);
}

// The path and the number of an open file, if it is looked at.
static int describe(int descriptor, char *path, size_t size, struct stat *facts) {
  pthread_once(&once, configure);
  if (!root || descriptor == trace || fstat(descriptor, facts) != 0) return 0;
  if (!S_ISREG(facts->st_mode) && !S_ISDIR(facts->st_mode)) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below_root(path);
}

static uint64_t inode_of(const char *path) {
  struct stat facts;
  return lstat(path, &facts) == 0 ? facts.st_ino : 0;
}

// Tells what is to be done at a call. The lock is held from here to `leave`: the trace has the order of the disk.
static enum action enter(char kind) {
  pthread_mutex_lock(&lock);
  if (kinds && !strchr(kinds, kind)) return NONE;
  long own = ++calls_seen;
  if (first_call == 0 || own < first_call || (call_count > 0 && own >= first_call + call_count)) return NONE;
  if (chosen == BEFORE) kill(getpid(), SIGKILL);
  if (chosen == DELAY) usleep(50000);
  return chosen;
}

// Memory that processes share by way of a file (-shm) is never on the disk: only a real error can come of that.
static enum action honest_for_memory(enum action action, const char *path) {
  size_t length = strlen(path);
  int isMemory = length > 4 && strcmp(path + length - 4, "-shm") == 0;
  return isMemory && (action == TEAR || action == FORGET) ? NONE : action;
}

static void leave(enum action action) {
  if (action == AFTER || action == TORN) kill(getpid(), SIGKILL);
  pthread_mutex_unlock(&lock);
}

// Whether the call fails; errno says why then.
static int fails(enum action action) {
  if (action == EIO_) errno = EIO;
  if (action == ENOSPC_) errno = ENOSPC;
  return action == EIO_ || action == ENOSPC_;
}

struct record {
  uint32_t kind, path_length, other_length, data_length;
  uint64_t inode, offset;
};

static void note(char kind, uint64_t inode, uint64_t offset, const char *path, const char *other, const void *data,
                 size_t length) {
  if (trace < 0) return;
  int saved = errno;
  struct record record = {(uint32_t)kind, path ? strlen(path) : 0, other ? strlen(other) : 0, length, inode, offset};
  struct iovec parts[] = {{&record, sizeof record},
                          {(void *)path, record.path_length},
                          {(void *)other, record.other_length},
                          {(void *)data, length}};
  kernel(SYS_writev, trace, parts, 4);
  errno = saved;
}

// Notes what a program has told: it may be a promise.
static void say(const void *data, size_t length) {
  pthread_mutex_lock(&lock);
  note('a', 0, 0, NULL, NULL, data, length);
  pthread_mutex_unlock(&lock);
}

// MARK: Contents


static ssize_t raw_write(int descriptor, const void *data, size_t count, off_t offset) {
  return offset < 0 ? kernel(SYS_write, descriptor, data, count)
                    : kernel(SYS_pwrite64, descriptor, data, count, offset);
}

static ssize_t any_write(int descriptor, const void *data, size_t count, off_t offset) {
  char path[4096];
  struct stat facts;
  if (!describe(descriptor, path, sizeof path, &facts) || !S_ISREG(facts.st_mode)) {
    ssize_t written = raw_write(descriptor, data, count, offset);
    if (descriptor == STDOUT_FILENO && written > 0) say(data, (size_t)written);
    return written;
  }
  enum action action = honest_for_memory(enter('w'), path);
  ssize_t written = -1;
  if (!fails(action)) {
    off_t place = offset;
    if (offset < 0) {
      int isAppending = fcntl(descriptor, F_GETFL) & O_APPEND;
      place = isAppending ? facts.st_size : lseek(descriptor, 0, SEEK_CUR);
    }
    int isHalf = action == SHORT || action == TEAR || action == TORN;
    size_t part = action == FORGET ? 0 : isHalf ? count / 2 : count;
    written = part > 0 ? raw_write(descriptor, data, part, offset) : 0;
    if (written > 0) note('w', facts.st_ino, (uint64_t)place, path, NULL, data, (size_t)written);
    if (written >= 0 && (action == TEAR || action == FORGET)) {
      if (offset < 0) lseek(descriptor, place + (off_t)count, SEEK_SET);
      written = (ssize_t)count;
    }
    if (action == SHORT) {
      if (written == 0) written = -1, errno = ENOSPC;
      // What comes next finds no room at all.
      chosen = ENOSPC_, call_count = call_count ? call_count + 1 : 0;
    }
  }
  leave(action);
  return written;
}

ssize_t write(int descriptor, const void *data, size_t count) { return any_write(descriptor, data, count, -1); }
ssize_t pwrite(int descriptor, const void *data, size_t count, off_t offset) {
  return any_write(descriptor, data, count, offset);
}
ssize_t pwrite64(int descriptor, const void *data, size_t count, off64_t offset) {
  return any_write(descriptor, data, count, offset);
}

static int any_truncate(int descriptor, off_t length) {
  char path[4096];
  struct stat facts;
  if (!describe(descriptor, path, sizeof path, &facts)) return (int)kernel(SYS_ftruncate, descriptor, length);
  enum action action = honest_for_memory(enter('t'), path);
  int result = -1;
  if (!fails(action)) {
    result = action == FORGET || action == TEAR ? 0 : (int)kernel(SYS_ftruncate, descriptor, length);
    if (result == 0 && action != FORGET && action != TEAR) note('t', facts.st_ino, (uint64_t)length, path, NULL, NULL, 0);
  }
  leave(action);
  return result;
}

int ftruncate(int descriptor, off_t length) { return any_truncate(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return any_truncate(descriptor, length); }

static int any_sync(int descriptor, long call) {
  char path[4096];
  struct stat facts;
  if (!describe(descriptor, path, sizeof path, &facts)) return (int)kernel(call, descriptor);
  enum action action = enter('s');
  int result = -1;
  if (!fails(action)) {
    int isForgotten = action == FORGET || action == TEAR;
    // The disk below is not what is tested: what is in memory is there for all.
    result = 0;
    if (!isForgotten) note(S_ISDIR(facts.st_mode) ? 'f' : 's', facts.st_ino, 0, path, NULL, NULL, 0);
  }
  leave(action);
  return result;
}

int fsync(int descriptor) { return any_sync(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return any_sync(descriptor, SYS_fdatasync); }

// MARK: Names

static int any_open(int folder, const char *path, int flags, mode_t mode) {
  pthread_once(&once, configure);
  int creates = flags & O_CREAT, clears = flags & O_TRUNC;
  if ((!creates && !clears) || !is_below_root(path)) return (int)kernel(SYS_openat, folder, path, flags, mode);
  int isNew = inode_of(path) == 0;
  if (!isNew && !clears) return (int)kernel(SYS_openat, folder, path, flags, mode);
  enum action action = enter('c');
  int descriptor = -1;
  if (!fails(action)) {
    descriptor = (int)kernel(SYS_openat, folder, path, flags, mode);
    struct stat facts;
    if (descriptor >= 0 && fstat(descriptor, &facts) == 0) {
      note(isNew ? 'c' : 't', facts.st_ino, 0, path, NULL, NULL, 0);
    }
  }
  leave(action);
  return descriptor;
}

#define MODE_OF(flags)                                   \
  mode_t mode = 0;                                       \
  if ((flags) & (O_CREAT | O_TMPFILE)) {                 \
    va_list rest;                                        \
    va_start(rest, flags);                               \
    mode = va_arg(rest, mode_t);                         \
    va_end(rest);                                        \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  return any_open(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE_OF(flags)
  return any_open(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE_OF(flags)
  return any_open(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  MODE_OF(flags)
  return any_open(folder, path, flags | O_LARGEFILE, mode);
}

// Carries out a change of names by a call of the system, or does not.
static long change(char kind, char noted, const char *path, const char *other, long call, long a, long b, long c, long d,
                   long e) {
  if (!is_below_root(path)) return kernel(call, a, b, c, d, e);
  enum action action = enter(kind);
  long result = -1;
  if (!fails(action)) {
    uint64_t inode = inode_of(path);
    int isForgotten = action == FORGET || action == TEAR;
    result = isForgotten ? 0 : kernel(call, a, b, c, d, e);
    if (result == 0 && !isForgotten) note(noted, inode ? inode : inode_of(path), 0, path, other, NULL, 0);
  }
  leave(action);
  return result;
}

#define AT(place) (long)(AT_FDCWD), (long)(place)

int rename(const char *from, const char *to) {
  return (int)change('r', 'r', from, to, SYS_renameat2, AT(from), AT(to), 0);
}
int renameat2(int one, const char *from, int two, const char *to, unsigned flags) {
  return (int)change('r', flags & 2 ? 'x' : 'r', from, to, SYS_renameat2, one, (long)from, two, (long)to, flags);
}
int renameat(int one, const char *from, int two, const char *to) { return renameat2(one, from, two, to, 0); }
int unlink(const char *path) { return (int)change('u', 'u', path, NULL, SYS_unlinkat, AT(path), 0, 0, 0); }
int unlinkat(int folder, const char *path, int flags) {
  return (int)change('u', flags ? 'q' : 'u', path, NULL, SYS_unlinkat, folder, (long)path, flags, 0, 0);
}
int rmdir(const char *path) { return (int)change('u', 'q', path, NULL, SYS_unlinkat, AT(path), AT_REMOVEDIR, 0, 0); }
int link(const char *from, const char *to) {
  return (int)change('l', 'l', from, to, SYS_linkat, AT(from), AT(to), 0);
}
int mkdir(const char *path, mode_t mode) {
  return (int)change('d', 'd', path, NULL, SYS_mkdirat, AT(path), (long)mode, 0, 0);
}

// The exchange of names has no function in older C libraries.
long syscall(long call, ...) {
  pthread_once(&once, configure);
  va_list rest;
  va_start(rest, call);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  if (call == SYS_renameat2) return renameat2((int)a[0], (char *)a[1], (int)a[2], (char *)a[3], (unsigned)a[4]);
  return kernel(call, a[0], a[1], a[2], a[3], a[4], a[5]);
}
