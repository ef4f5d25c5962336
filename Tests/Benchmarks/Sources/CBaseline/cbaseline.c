#include "cbaseline.h"

#include "cbaseline_checksum.h"
#include "cchecksum.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cbaseline {
  sqlite3 *connection;
  sqlite3_stmt *page, *offset, *insert;
  volatile uint64_t sink;  // What is read is used, so that reading it is not optimised away.
};

#define COLUMNS "id, conversation, sender, kind, precision, text, bytes, reply_to, thread, revision, features, checksum"

static const char page_sql[] =
    "SELECT " COLUMNS " FROM message WHERE conversation = ? AND id < ? ORDER BY id DESC LIMIT ?";
static const char offset_sql[] =
    "SELECT " COLUMNS " FROM message WHERE conversation = ? ORDER BY id DESC LIMIT ? OFFSET ?";
static const char table_sql[] =
    "CREATE TABLE bare(conversation INTEGER NOT NULL, id INTEGER NOT NULL, sender INTEGER, kind INTEGER,"
    " precision INTEGER, text TEXT, bytes INTEGER, reply_to INTEGER, thread INTEGER, revision INTEGER,"
    " features INTEGER, batch INTEGER, checksum INTEGER, PRIMARY KEY(conversation, id)) WITHOUT ROWID;"
    "CREATE UNIQUE INDEX bare_id ON bare(id);";
static const char insert_sql[] = "INSERT INTO bare VALUES (1, ?, 1, 0, 0, ?, NULL, NULL, NULL, 0, 0, NULL, ?)";

static char cause[512];

void cbaseline_note_cause(sqlite3 *connection) {
  snprintf(cause, sizeof cause, "%s", connection ? sqlite3_errmsg(connection) : sqlite3_errstr(SQLITE_NOMEM));
}

const char *cbaseline_cause(void) { return cause; }

int32_t cbaseline_checksum(
    int64_t id, int64_t conversation, int64_t sender, int64_t kind, int64_t precision, const char *text,
    uint32_t count) {
  int64_t numbers[] = {id, conversation, sender, kind, precision};
  return (int32_t)cchecksum_crc32(cchecksum_crc32(0, numbers, sizeof numbers), text, count);
}

static int prepare(cbaseline *baseline, int writes) {
  sqlite3 *connection = baseline->connection;
  sqlite3_exec(connection, "PRAGMA cache_size = -1024; PRAGMA mmap_size = 0;", 0, 0, 0);
  if (writes) {
    sqlite3_exec(connection, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;", 0, 0, 0);
    if (sqlite3_exec(connection, table_sql, 0, 0, 0) != SQLITE_OK) return 0;
    return sqlite3_prepare_v2(connection, insert_sql, -1, &baseline->insert, 0) == SQLITE_OK;
  }
  return sqlite3_prepare_v2(connection, page_sql, -1, &baseline->page, 0) == SQLITE_OK &&
         sqlite3_prepare_v2(connection, offset_sql, -1, &baseline->offset, 0) == SQLITE_OK;
}

cbaseline *cbaseline_open(const char *path, int writes) {
  cbaseline *baseline = calloc(1, sizeof *baseline);
  if (!baseline) return 0;
  int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  if (sqlite3_open_v2(path, &baseline->connection, flags, 0) == SQLITE_OK && prepare(baseline, writes)) {
    return baseline;
  }
  cbaseline_note_cause(baseline->connection);
  cbaseline_close(baseline);
  return 0;
}

void cbaseline_close(cbaseline *baseline) {
  sqlite3_finalize(baseline->page);
  sqlite3_finalize(baseline->offset);
  sqlite3_finalize(baseline->insert);
  sqlite3_close(baseline->connection);
  free(baseline);
}

// Touches every column of every row, and each text to its last byte.
static int drain(cbaseline *baseline, sqlite3_stmt *statement) {
  int count = 0, result;
  while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
    uint64_t sum = 0;
    for (int column = 0; column < 12; column++) {
      if (column == 5) {
        const unsigned char *text = sqlite3_column_text(statement, column);
        int length = sqlite3_column_bytes(statement, column);
        if (length > 0) sum += text[0] + text[length - 1];
      } else if (sqlite3_column_type(statement, column) != SQLITE_NULL) {
        sum += (uint64_t)sqlite3_column_int64(statement, column);
      }
    }
    baseline->sink += sum;
    count++;
  }
  if (result != SQLITE_DONE) cbaseline_note_cause(baseline->connection);
  sqlite3_reset(statement);
  return result == SQLITE_DONE ? count : -1;
}

int cbaseline_page(cbaseline *baseline, int64_t conversation, int64_t before, int limit) {
  sqlite3_bind_int64(baseline->page, 1, conversation);
  sqlite3_bind_int64(baseline->page, 2, before);
  sqlite3_bind_int(baseline->page, 3, limit);
  return drain(baseline, baseline->page);
}

int cbaseline_offset(cbaseline *baseline, int64_t conversation, int64_t offset, int limit) {
  sqlite3_bind_int64(baseline->offset, 1, conversation);
  sqlite3_bind_int(baseline->offset, 2, limit);
  sqlite3_bind_int64(baseline->offset, 3, offset);
  return drain(baseline, baseline->offset);
}

int cbaseline_insert(cbaseline *baseline, int64_t id, const char *text) {
  sqlite3_bind_int64(baseline->insert, 1, id);
  sqlite3_bind_text(baseline->insert, 2, text, -1, SQLITE_STATIC);
  sqlite3_bind_int(baseline->insert, 3, cbaseline_checksum(id, 1, 1, 0, 0, text, (uint32_t)strlen(text)));
  int result = sqlite3_step(baseline->insert);
  if (result != SQLITE_DONE) cbaseline_note_cause(baseline->connection);
  sqlite3_reset(baseline->insert);
  return result == SQLITE_DONE;
}
