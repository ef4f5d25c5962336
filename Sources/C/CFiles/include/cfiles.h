// What Swift cannot call or may not do: names changed in one step, and files that go when a signal ends the process.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Exchanges what two names lead to, in one step. Returns 0 or the error number; ENOTSUP where the system has no such call.
int cfiles_exchange(const char *one, const char *other);
// Renames a file unless the new name is taken. Returns 0 or the error number.
int cfiles_rename_to_new(const char *from, const char *to);

// The time at which a file was made, in nanoseconds since 1970; 0 where the file system does not keep it.
int64_t cfiles_birth_time(const char *path);
// Runs a program with one argument, in a process group of its own and without a terminal. Returns 0 or the error number.
int cfiles_run(const char *program, const char *argument, int *child);
// Runs a command of the shell in a process group of its own. It has three descriptors of this process as its streams, no others, and the
// signals of a new process. Returns 0 or the error number.
int cfiles_run_shell(const char *command, int input, int output, int errors, int *child);
// Whether a child has ended; its number stays its own until cfiles_ended has said how.
bool cfiles_has_ended(int child);
// Whether a child has ended, and how: -1 if it goes on, else its exit status (128 and more for a signal).
int cfiles_ended(int child);

// Notes a file that is to go if the process is ended. Returns its number, or -1 if there is no room for one more.
int cfiles_note(const char *path);
// Forgets a file that was noted.
void cfiles_forget(int number);
// Removes all files that are noted. Signal handlers may call it; `exit` does.
void cfiles_remove_noted(void);

// Whether a path lies on a file system of which this computer is not told all changes: one of a network, or of a program.
int cfiles_is_remote(const char *path);
