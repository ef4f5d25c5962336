#include "creadline.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>

extern char **environ;

bool creadline_run_editor(const char *program, const char *file) {
  char command[4096];
  int length = snprintf(command, sizeof command, "%s \"$1\"", program);
  if (length < 0 || (size_t)length >= sizeof command) return false;
  char *arguments[] = {"sh", "-c", command, "sh", (char *)file, NULL};
  pid_t child;
  // It stays in our process group: another one could not read from the terminal.
  if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) != 0) return false;
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return true;
}
