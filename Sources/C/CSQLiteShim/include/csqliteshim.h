// The variadic calls of SQLite that Swift cannot make.
#pragma once
#include <sqlite3.h>

// Turns the triggers of this connection on (1) or off (0). Returns SQLite's result code.
int csqlite_enable_triggers(sqlite3 *connection, int on);
// Returns whether the triggers of this connection are on.
int csqlite_has_triggers(sqlite3 *connection);
// Lets SQLite allocate without counting; refused once it is in use. Returns SQLite's result code.
int csqlite_forgo_memory_figures(void);
// Lets this connection write to the tables that a virtual table keeps its data in; some systems forbid it until asked.
int csqlite_open_shadow_tables(sqlite3 *connection);
// Switches the defensive settings for a file of unknown origin on: no writes to shadow tables, an untrusted schema.
int csqlite_be_defensive(sqlite3 *connection);

// Has a connection that only reads open a file that is shorter than its header says, which SQLite refuses else, and trust the
// schema no more than a defensive one. Returns SQLite's result code.
int csqlite_read_half(sqlite3 *connection);

// Returns the number by which Linux knows the kind of file system that a path lies on, -1 if there is no such path; on
// other systems 0 for one of this computer and 0x6969 (NFS) for one of a network.
long csqlite_file_system(const char *path);

// Whether the name by which a database was opened leads to another file by now, or to none: 1 or 0.
int csqlite_has_moved(sqlite3 *connection);

// Adds to this connection's FTS5 the function places(TABLE): where the query has found something in the first column, as a
// blob of pairs of 32-bit numbers, the first byte and the one behind the last, in order and apart. Takes O(text + hits);
// FTS5's own highlight() copies all that it has put together for each hit. Returns SQLite's result code.
int csqlite_add_places(sqlite3 *connection);
