#include "creadline.h"

#include <stdio.h>

#include <readline/history.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void creadline_read_history(const char *path) {
  // Time stamps part entries that have more than one line.
  history_write_timestamps = 1;
  history_comment_char = '#';
  clear_history();
  read_history(path);
}

void creadline_add_history(const char *line) {
  HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
  if (last && strcmp(last->line, line) == 0) return;
  add_history(line);
}

int creadline_write_history(const char *path, int most) {
  stifle_history(most);
  // write_history makes a file that others can read, so ours is there first.
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  fchmod(file, 0600);
  close(file);
  return write_history(path);
}
