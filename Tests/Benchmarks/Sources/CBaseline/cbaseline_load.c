#include "cbaseline_load.h"

#include "cbaseline_checksum.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { block_limit = 1024, superblock_limit = 32, facet_limit = 1 << 16 };

// The newest block and super-block of a conversation or, at 0, of the whole store.
typedef struct {
  int64_t block, superblock, superblock_count, blocks, added;
  int count, is_open, is_touched;
  // The counts by facet of what has come to the block since it was written, with the facets that have any.
  uint16_t *facets;
  int32_t *present;
  int present_count;
} scope_counts;

enum { insert_message, insert_words, set_block, set_superblock, add_part, sum_parts, set_tally, statements };

struct cbaseline_load {
  sqlite3 *connection;
  sqlite3_stmt *statement[statements];
  scope_counts *scopes;
  int64_t scope_count;
  int with_search;
};

static const char *const sql[statements] = {
    "INSERT INTO message(conversation, id, sender, kind, precision, text, revision, features, checksum)"
    " VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)",
    "INSERT INTO search(rowid, words, scope) VALUES (?, ?, ?)",
    "INSERT OR REPLACE INTO block VALUES (?, ?, ?)",
    "INSERT OR REPLACE INTO superblock VALUES (?, ?, ?, ?)",
    "INSERT INTO part VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
    "INSERT INTO superpart SELECT scope, facet, ?2, sum(count) FROM part"
    " WHERE scope = ?1 AND first_id BETWEEN ?2 AND ?3 GROUP BY scope, facet",
    "UPDATE tally SET inserted = inserted + ?2 WHERE scope = ?1",
};

static int run(sqlite3_stmt *statement) {
  int result = sqlite3_step(statement);
  sqlite3_reset(statement);
  return result == SQLITE_DONE;
}

static int run_numbers(sqlite3_stmt *statement, int count, const int64_t *numbers) {
  for (int index = 0; index < count; index++) sqlite3_bind_int64(statement, index + 1, numbers[index]);
  return run(statement);
}

cbaseline_load *cbaseline_load_open(const char *path, int cache_kib, int with_search) {
  cbaseline_load *load = calloc(1, sizeof *load);
  if (!load) return 0;
  load->with_search = with_search;
  int is_open = sqlite3_open_v2(path, &load->connection, SQLITE_OPEN_READWRITE, 0) == SQLITE_OK;
  char settings[256];
  snprintf(
      settings, sizeof settings,
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA mmap_size = 0; PRAGMA cache_size = -%d;"
      "PRAGMA journal_size_limit = 16777216;",
      cache_kib);
  is_open = is_open && sqlite3_exec(load->connection, settings, 0, 0, 0) == SQLITE_OK &&
            sqlite3_db_config(load->connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, 0) == SQLITE_OK;
  for (int index = 0; is_open && index < statements; index++) {
    is_open = sqlite3_prepare_v3(
                  load->connection, sql[index], -1, SQLITE_PREPARE_PERSISTENT, &load->statement[index], 0) ==
              SQLITE_OK;
  }
  if (is_open) return load;
  cbaseline_note_cause(load->connection);
  cbaseline_load_close(load);
  return 0;
}

void cbaseline_load_close(cbaseline_load *load) {
  for (int index = 0; index < statements; index++) sqlite3_finalize(load->statement[index]);
  for (int64_t index = 0; index < load->scope_count; index++) {
    free(load->scopes[index].facets);
    free(load->scopes[index].present);
  }
  free(load->scopes);
  sqlite3_close(load->connection);
  free(load);
}

// MARK: Counts

// Reads where a scope ends.
static int open_scope(cbaseline_load *load, int64_t number, scope_counts *scope) {
  sqlite3_stmt *find;
  static const char question[] =
      "SELECT b.first_id, b.count, s.first_id, s.count, s.blocks FROM block b, superblock s"
      " WHERE b.scope = ?1 AND s.scope = ?1 ORDER BY b.first_id DESC, s.first_id DESC LIMIT 1";
  if (sqlite3_prepare_v2(load->connection, question, -1, &find, 0) != SQLITE_OK) return 0;
  sqlite3_bind_int64(find, 1, number);
  int is_there = sqlite3_step(find) == SQLITE_ROW;
  if (is_there) {
    scope->block = sqlite3_column_int64(find, 0);
    scope->count = sqlite3_column_int(find, 1);
    scope->superblock = sqlite3_column_int64(find, 2);
    scope->superblock_count = sqlite3_column_int64(find, 3);
    scope->blocks = sqlite3_column_int64(find, 4);
    scope->is_open = 1;
  }
  sqlite3_finalize(find);
  return is_there;
}

static scope_counts *scope_of(cbaseline_load *load, int64_t number) {
  if (number >= load->scope_count) {
    int64_t count = number + 64;
    scope_counts *larger = realloc(load->scopes, count * sizeof *larger);
    if (!larger) return 0;
    memset(larger + load->scope_count, 0, (count - load->scope_count) * sizeof *larger);
    load->scopes = larger;
    load->scope_count = count;
  }
  scope_counts *scope = &load->scopes[number];
  if (!scope->is_open && !open_scope(load, number, scope)) return 0;
  if (!scope->facets) {
    scope->facets = calloc(facet_limit, sizeof *scope->facets);
    scope->present = calloc(facet_limit, sizeof *scope->present);
  }
  return scope->facets && scope->present ? scope : 0;
}

// Writes what has come to the newest block.
static int write_block(cbaseline_load *load, int64_t number, scope_counts *scope) {
  int is_done = run_numbers(load->statement[set_block], 3, (int64_t[]){number, scope->block, scope->count});
  for (int index = 0; index < scope->present_count; index++) {
    int32_t facet = scope->present[index];
    is_done &= run_numbers(
        load->statement[add_part], 4, (int64_t[]){number, scope->block, facet, scope->facets[facet]});
    scope->facets[facet] = 0;
  }
  scope->present_count = 0;
  return is_done;
}

static int write_superblock(cbaseline_load *load, int64_t number, scope_counts *scope) {
  return run_numbers(
      load->statement[set_superblock], 4,
      (int64_t[]){number, scope->superblock, scope->superblock_count, scope->blocks});
}

// Begins a new block, and a new super-block where the one at hand is full.
static int begin_block(cbaseline_load *load, int64_t number, scope_counts *scope, int64_t id) {
  int is_done = write_block(load, number, scope);
  if (scope->blocks >= superblock_limit) {
    is_done &= write_superblock(load, number, scope);
    is_done &= run_numbers(load->statement[sum_parts], 3, (int64_t[]){number, scope->superblock, id - 1});
    scope->superblock = id;
    scope->superblock_count = scope->blocks = 0;
  }
  scope->block = id;
  scope->blocks++;
  scope->count = 0;
  return is_done;
}

static void count_facet(scope_counts *scope, int64_t facet) {
  if (facet < 0 || facet >= facet_limit) return;
  if (scope->facets[facet]++ == 0) scope->present[scope->present_count++] = (int32_t)facet;
}

static int count_message(cbaseline_load *load, int64_t number, const cbaseline_message *message) {
  scope_counts *scope = scope_of(load, number);
  if (!scope) return 0;
  scope->is_touched = 1;
  if (scope->count >= block_limit && !begin_block(load, number, scope, message->id)) return 0;
  scope->count++;
  scope->superblock_count++;
  scope->added++;
  count_facet(scope, message->sender * 8 + 1);
  count_facet(scope, message->kind * 8 + 2);
  for (int bit = 1; bit <= 16; bit *= 2) {
    if (bit != 8 && message->features & bit) count_facet(scope, bit * 8 + 3);
  }
  return 1;
}

static int write_counts(cbaseline_load *load) {
  int is_done = 1;
  for (int64_t number = 0; number < load->scope_count; number++) {
    scope_counts *scope = &load->scopes[number];
    if (!scope->is_touched) continue;
    is_done &= write_block(load, number, scope) && write_superblock(load, number, scope) &&
               run_numbers(load->statement[set_tally], 2, (int64_t[]){number, scope->added});
    scope->added = scope->is_touched = 0;
  }
  return is_done;
}

// MARK: Messages

static int add_message(cbaseline_load *load, const cbaseline_message *message, const char *text) {
  sqlite3_stmt *row = load->statement[insert_message];
  sqlite3_bind_int64(row, 1, message->conversation);
  sqlite3_bind_int64(row, 2, message->id);
  sqlite3_bind_int64(row, 3, message->sender);
  sqlite3_bind_int(row, 4, message->kind);
  sqlite3_bind_int(row, 5, message->precision);
  sqlite3_bind_text(row, 6, text, (int)message->count, SQLITE_STATIC);
  sqlite3_bind_int(row, 7, message->features);
  sqlite3_bind_int(
      row, 8,
      cbaseline_checksum(
          message->id, message->conversation, message->sender, message->kind, message->precision, text,
          message->count));
  return run(row) && count_message(load, message->conversation, message) && count_message(load, 0, message);
}

// Joins, parts, quits, nick and mode changes, kicks and calls have no words worth finding.
static int has_words(int kind) { return kind < 3 || kind == 8 || kind > 10; }

static int add_words(cbaseline_load *load, const cbaseline_message *message, const char *text) {
  char scope[24];
  int length = snprintf(scope, sizeof scope, "c%lld", (long long)message->conversation);
  sqlite3_stmt *words = load->statement[insert_words];
  sqlite3_bind_int64(words, 1, message->id);
  sqlite3_bind_text(words, 2, text, (int)message->count, SQLITE_STATIC);
  sqlite3_bind_text(words, 3, scope, length, SQLITE_STATIC);
  return run(words);
}

int cbaseline_load_add(
    cbaseline_load *load, const cbaseline_message *messages, int count, const char *text) {
  int is_done = sqlite3_exec(load->connection, "BEGIN IMMEDIATE", 0, 0, 0) == SQLITE_OK;
  for (int index = 0; is_done && index < count; index++) {
    is_done = add_message(load, &messages[index], text + messages[index].offset);
  }
  for (int index = 0; load->with_search && is_done && index < count; index++) {
    if (has_words(messages[index].kind)) {
      is_done = add_words(load, &messages[index], text + messages[index].offset);
    }
  }
  is_done = is_done && write_counts(load) && sqlite3_exec(load->connection, "COMMIT", 0, 0, 0) == SQLITE_OK;
  if (is_done) return 1;
  cbaseline_note_cause(load->connection);
  sqlite3_exec(load->connection, "ROLLBACK", 0, 0, 0);
  return 0;
}
