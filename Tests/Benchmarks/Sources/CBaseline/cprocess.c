#include "cprocess.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/ptrace.h>
#endif

static void become(const char *const *arguments, int input, int output, int errors) {
  if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) _exit(126);
#ifdef __linux__
  ptrace(PTRACE_TRACEME, 0, 0, 0);
#endif
  execvp(arguments[0], (char *const *)arguments);
  _exit(127);
}

static int wait_for(pid_t child, int *status, struct rusage *usage) {
  pid_t waited;
  do waited = wait4(child, status, 0, usage);
  while (waited < 0 && errno == EINTR);
  return waited == child;
}

#ifdef __linux__
// ru_maxrss of a child begins with the memory of the process that it was forked from, so it says nothing of a program
// smaller than ours. The kernel's own mark of the program is read while it ends, when it stops for us one last time.
static int64_t high_water(pid_t child) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/status", (int)child);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  long long kilobytes = 0;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "VmHWM: %lld", &kilobytes) == 1) break;
  }
  fclose(file);
  return kilobytes * 1024;
}

static int follow(pid_t child, int64_t *peak) {
  int status = 0, isTraced = 0;
  struct rusage usage;
  while (wait_for(child, &status, &usage)) {
    if (!WIFSTOPPED(status)) return status;
    int number = WSTOPSIG(status);
    if (!isTraced && number == SIGTRAP) {
      long options = PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC;
      isTraced = ptrace(PTRACE_SETOPTIONS, child, 0, (void *)options) == 0;
      number = 0;
    } else if (status >> 16) {
      if (status >> 16 == PTRACE_EVENT_EXIT) *peak = high_water(child);
      number = 0;
    }
    ptrace(PTRACE_CONT, child, 0, (void *)(long)number);
  }
  return -1;
}
#else
static int follow(pid_t child, int64_t *peak) {
  int status = 0;
  struct rusage usage;
  if (!wait_for(child, &status, &usage)) return -1;
  *peak = usage.ru_maxrss;
  return status;
}
#endif

int cprocess_run(const char *const *arguments, int input, int output, int errors, int64_t *peak) {
  *peak = 0;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) become(arguments, input, output, errors);
  return follow(child, peak);
}
