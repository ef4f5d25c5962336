#ifdef __linux__
#define _GNU_SOURCE // statx
#endif

#include "cfiles.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <sys/vfs.h>
#endif

// renameat2(2), renamex_np(2). Not all file systems can do both.
enum { NO_REPLACE = 1, EXCHANGE = 2 };

static int rename_by(const char *from, const char *to, unsigned mode) {
#if defined(__linux__) && defined(SYS_renameat2)
  if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, mode) == 0) return 0;
  return errno == ENOSYS || errno == EINVAL ? ENOTSUP : errno;
#elif defined(__APPLE__)
  if (renamex_np(from, to, mode == EXCHANGE ? RENAME_SWAP : RENAME_EXCL) == 0) return 0;
  return errno == EINVAL ? ENOTSUP : errno;
#else
  return ENOTSUP;
#endif
}

extern char **environ;

int cfiles_run(const char *program, const char *argument, int *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // What it says would be written over the window, and Ctrl-C is not meant for it.
  for (int descriptor = 0; descriptor < 3; descriptor++)
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  char *arguments[] = {(char *)program, (char *)argument, NULL};
  pid_t number = -1;
  int error = posix_spawnp(&number, program, &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  *child = number;
  return error;
}

int cfiles_run_shell(const char *command, int input, int output, int errors, int *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  // What a library opens without close-on-exec is not the command's.
#if defined(__APPLE__)
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#elif defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
  // Threads block signals, and this program may ignore that a reader is gone.
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes, flags);
  posix_spawnattr_setpgroup(&attributes, 0);
  char *arguments[] = {"sh", "-c", (char *)command, NULL};
  pid_t number = -1;
  int error = posix_spawn(&number, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  *child = number;
  return error;
}

bool cfiles_has_ended(int child) {
  siginfo_t found = {0};
  if (waitid(P_PID, (id_t)child, &found, WEXITED | WNOHANG | WNOWAIT) != 0) return errno != EINTR;
  return found.si_pid != 0;
}

int cfiles_ended(int child) {
  int status;
  pid_t found = waitpid(child, &status, WNOHANG);
  if (found == 0) return -1;
  if (found < 0) return 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

int cfiles_exchange(const char *one, const char *other) { return rename_by(one, other, EXCHANGE); }

int cfiles_rename_to_new(const char *from, const char *to) {
  int failure = rename_by(from, to, NO_REPLACE);
  if (failure != ENOTSUP) return failure;
  // A link is made only where nothing is.
  if (link(from, to) == 0) {
    unlink(from);
    return 0;
  }
  if (errno != EPERM && errno != ENOTSUP && errno != EMLINK && errno != ENOSYS) return errno;
  if (access(to, F_OK) == 0) return EEXIST;
  return rename(from, to) == 0 ? 0 : errno;
}

int64_t cfiles_birth_time(const char *path) {
#if defined(__linux__) && defined(STATX_BTIME)
  struct statx facts;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &facts) != 0 || !(facts.stx_mask & STATX_BTIME)) return 0;
  return (int64_t)facts.stx_btime.tv_sec * 1000000000 + facts.stx_btime.tv_nsec;
#elif defined(__APPLE__)
  struct stat facts;
  if (stat(path, &facts) != 0) return 0;
  return (int64_t)facts.st_birthtimespec.tv_sec * 1000000000 + facts.st_birthtimespec.tv_nsec;
#else
  return 0;
#endif
}

int cfiles_is_remote(const char *path) {
#ifdef __linux__
  // statfs(2): NFS, SMB and its kin, FUSE, 9P, Ceph, AFS, Coda, VirtualBox.
  static const uint32_t kinds[] = {0x6969,     0xFF534D42, 0xFE534D42, 0x517B,     0x65735546, 0x01021997,
                                   0x00C36400, 0x5346414F, 0x73757245, 0x786F4256};
  struct statfs facts;
  if (statfs(path, &facts) != 0) return 0;
  for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if ((uint32_t)facts.f_type == kinds[i]) return 1;
#endif
  return 0;
}

// Whoever takes a path out of its place owns it: a handler that comes in between finds nothing there.
static _Atomic(char *) noted[4096];
static atomic_uint next;
static atomic_flag has_begun = ATOMIC_FLAG_INIT;
static _Atomic pid_t owner;

int cfiles_note(const char *path) {
  if (!atomic_flag_test_and_set(&has_begun)) {
    atomic_store(&owner, getpid());
    atexit(cfiles_remove_noted);
  }
  char *copy = strdup(path);
  if (!copy) return -1;
  const unsigned room = sizeof noted / sizeof noted[0];
  unsigned start = atomic_fetch_add(&next, 1);
  for (unsigned i = 0; i < room; i++) {
    unsigned place = (start + i) % room;
    char *none = NULL;
    if (atomic_compare_exchange_strong(&noted[place], &none, copy)) return (int)place;
  }
  free(copy);
  return -1;
}

void cfiles_forget(int number) {
  if (number < 0) return;
  free(atomic_exchange(&noted[number], NULL));
}

void cfiles_remove_noted(void) {
  // A child that was forked is not the one who writes them.
  if (atomic_load(&owner) != getpid()) return;
  int saved = errno;
  for (unsigned i = 0; i < sizeof noted / sizeof noted[0]; i++) {
    char *path = atomic_exchange(&noted[i], NULL);
    if (path) unlink(path);
  }
  errno = saved;
}
