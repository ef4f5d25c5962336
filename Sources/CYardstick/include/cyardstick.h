// What SQLite itself can do, in C: the limit that Scrollback's own speed is held against.
#pragma once
#include <stdint.h>

#include "cprocess.h"

typedef struct cyardstick cyardstick;

// Opens a store for the yardsticks; NULL if it cannot be opened. `writes` asks for write access.
cyardstick *cyardstick_open(const char *path, int writes);
void cyardstick_close(cyardstick *yardstick);

// Reads `limit` messages of a conversation older than an id, all columns of a page, and returns how many there were.
int cyardstick_page(cyardstick *yardstick, int64_t conversation, int64_t before, int limit);
// The same by SQL OFFSET from the newest end.
int cyardstick_offset(cyardstick *yardstick, int64_t conversation, int64_t offset, int limit);
// Inserts one row into a table of its own, with the same columns and keys as a message, in its own transaction.
int cyardstick_insert(cyardstick *yardstick, int64_t id, const char *text);
