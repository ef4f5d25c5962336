// What SQLite itself can do, in C: the limit that Scrollback's own speed is held against.
#pragma once
#include <stdint.h>

#include "cprocess.h"

typedef struct cbaseline cbaseline;

// Opens a store for the baselines; NULL if it cannot be opened. `writes` asks for write access.
cbaseline *cbaseline_open(const char *path, int writes);
// What SQLite said of the last of these calls that failed.
const char *cbaseline_cause(void);
void cbaseline_close(cbaseline *baseline);

// Reads `limit` messages of a conversation older than an id, all columns of a page, and returns how many there were,
// -1 if they cannot be read.
int cbaseline_page(cbaseline *baseline, int64_t conversation, int64_t before, int limit);
// The same by SQL OFFSET from the newest end.
int cbaseline_offset(cbaseline *baseline, int64_t conversation, int64_t offset, int limit);
// Inserts one row into a table of its own, with the same columns and keys as a message and its checksum, in its own
// transaction. Returns whether it went well.
int cbaseline_insert(cbaseline *baseline, int64_t id, const char *text);
