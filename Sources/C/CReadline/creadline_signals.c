#include "creadline.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static int signal_pipe = -1;

static void tell(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  if (write(signal_pipe, &byte, 1) < 0) {}  // The pipe is full of signals that say as much.
  errno = saved;
}

void creadline_watch_signal(int number, int pipe) {
  signal_pipe = pipe;
  struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
  // Who started us may have blocked it, as threads of libdispatch do.
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, number);
  pthread_sigmask(SIG_UNBLOCK, &watched, NULL);
}

static int guarded = -1;
static struct termios settings;
static char restoring[256];
static char crash_stack[16384];

static void restore_and_die(int number) {
  if (write(guarded, restoring, strlen(restoring)) < 0) {}
  tcsetattr(guarded, TCSANOW, &settings);
  raise(number);  // SA_RESETHAND: now as if nobody had caught it.
}

void creadline_guard_terminal(int terminal, const char *sequence) {
  if (tcgetattr(terminal, &settings) != 0) return;
  guarded = terminal;
  strncpy(restoring, sequence, sizeof restoring - 1);
  stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = restore_and_die, .sa_flags = SA_RESETHAND | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
  for (unsigned i = 0; i < sizeof crashes / sizeof crashes[0]; i++) sigaction(crashes[i], &action, NULL);
}
