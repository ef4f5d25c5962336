#define _DEFAULT_SOURCE
#include "cyardstick_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t nanoseconds(struct timeval time) {
  return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

static void become(const char *const *arguments, const char *output) {
  int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0 && dup2(file, STDOUT_FILENO) >= 0) execvp(arguments[0], (char *const *)arguments);
  _exit(127);
}

cyardstick_usage cyardstick_run(const char *const *arguments, const char *output) {
  cyardstick_usage usage = {.exit_code = -1};
  int64_t start = now();
  pid_t child = fork();
  if (child == 0) become(arguments, output);
  struct rusage used;
  int status;
  if (child < 0 || wait4(child, &status, 0, &used) < 0) return usage;
  usage.wall_nanoseconds = now() - start;
  usage.cpu_nanoseconds = nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime);
#ifdef __APPLE__
  usage.peak_bytes = used.ru_maxrss;
#else
  usage.peak_bytes = (int64_t)used.ru_maxrss * 1024;
#endif
  usage.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return usage;
}
