// What both baselines write and tell alike.
#pragma once
#include <sqlite3.h>
#include <stdint.h>

// The checksum of a row as the store has it: of its numbers and of its text.
int32_t cbaseline_checksum(
    int64_t id, int64_t conversation, int64_t sender, int64_t kind, int64_t precision, const char *text,
    uint32_t count);
// Keeps what SQLite says of the last failure on a connection, which may be NULL, for cbaseline_cause().
void cbaseline_note_cause(sqlite3 *connection);
