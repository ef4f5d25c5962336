// Runs a program and tells the most memory that it ever held.
#pragma once
#include <stdint.h>

// Runs `arguments` (NULL-terminated, the program first) with standard input, output and error on the descriptors given,
// and waits for it. Returns its exit status as wait() has it, -1 if it could not be run. `peak` is set to the most
// memory in bytes that it held at once, 0 if the system does not tell.
int cprocess_run(const char *const *arguments, int input, int output, int errors, int64_t *peak);
