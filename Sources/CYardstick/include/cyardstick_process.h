// Another program, run to its end and measured as a whole.
#pragma once
#include <stdint.h>

typedef struct {
  int64_t wall_nanoseconds, cpu_nanoseconds, peak_bytes;
  // As the shell has it; negative if the program could not be run.
  int exit_code;
} cyardstick_usage;

// Runs a program that is found in PATH. `arguments` ends with NULL and begins with its name; what it prints goes to the
// file `output`.
cyardstick_usage cyardstick_run(const char *const *arguments, const char *output);
