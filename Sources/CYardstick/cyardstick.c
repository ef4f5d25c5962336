#include "cyardstick.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct cyardstick {
  sqlite3 *connection;
  sqlite3_stmt *page, *offset, *insert;
  volatile uint64_t sink;  // What is read is used, so that reading it is not optimised away.
};

#define COLUMNS "id, conversation, sender, kind, precision, text, bytes, reply_to, thread, revision, features"

static const char page_sql[] =
    "SELECT " COLUMNS " FROM message WHERE conversation = ? AND id < ? ORDER BY id DESC LIMIT ?";
static const char offset_sql[] =
    "SELECT " COLUMNS " FROM message WHERE conversation = ? ORDER BY id DESC LIMIT ? OFFSET ?";
static const char table_sql[] =
    "CREATE TABLE bare(conversation INTEGER NOT NULL, id INTEGER NOT NULL, sender INTEGER, kind INTEGER,"
    " precision INTEGER, text TEXT, bytes INTEGER, reply_to INTEGER, thread INTEGER, revision INTEGER,"
    " features INTEGER, batch INTEGER, PRIMARY KEY(conversation, id)) WITHOUT ROWID;"
    "CREATE UNIQUE INDEX bare_id ON bare(id);";
static const char insert_sql[] = "INSERT INTO bare VALUES (1, ?, 1, 0, 0, ?, NULL, NULL, NULL, 0, 0, NULL)";

static int prepare(cyardstick *yardstick, int writes) {
  sqlite3 *connection = yardstick->connection;
  sqlite3_exec(connection, "PRAGMA cache_size = -1024; PRAGMA mmap_size = 0;", 0, 0, 0);
  if (writes) {
    sqlite3_exec(connection, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;", 0, 0, 0);
    if (sqlite3_exec(connection, table_sql, 0, 0, 0) != SQLITE_OK) return 0;
    return sqlite3_prepare_v2(connection, insert_sql, -1, &yardstick->insert, 0) == SQLITE_OK;
  }
  return sqlite3_prepare_v2(connection, page_sql, -1, &yardstick->page, 0) == SQLITE_OK &&
         sqlite3_prepare_v2(connection, offset_sql, -1, &yardstick->offset, 0) == SQLITE_OK;
}

cyardstick *cyardstick_open(const char *path, int writes) {
  cyardstick *yardstick = calloc(1, sizeof *yardstick);
  if (!yardstick) return 0;
  int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  if (sqlite3_open_v2(path, &yardstick->connection, flags, 0) == SQLITE_OK && prepare(yardstick, writes)) {
    return yardstick;
  }
  cyardstick_close(yardstick);
  return 0;
}

void cyardstick_close(cyardstick *yardstick) {
  sqlite3_finalize(yardstick->page);
  sqlite3_finalize(yardstick->offset);
  sqlite3_finalize(yardstick->insert);
  sqlite3_close(yardstick->connection);
  free(yardstick);
}

// Touches every column of every row, and each text to its last byte.
static int drain(cyardstick *yardstick, sqlite3_stmt *statement) {
  int count = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    uint64_t sum = 0;
    for (int column = 0; column < 11; column++) {
      if (column == 5) {
        const unsigned char *text = sqlite3_column_text(statement, column);
        int length = sqlite3_column_bytes(statement, column);
        if (length > 0) sum += text[0] + text[length - 1];
      } else if (sqlite3_column_type(statement, column) != SQLITE_NULL) {
        sum += (uint64_t)sqlite3_column_int64(statement, column);
      }
    }
    yardstick->sink += sum;
    count++;
  }
  sqlite3_reset(statement);
  return count;
}

int cyardstick_page(cyardstick *yardstick, int64_t conversation, int64_t before, int limit) {
  sqlite3_bind_int64(yardstick->page, 1, conversation);
  sqlite3_bind_int64(yardstick->page, 2, before);
  sqlite3_bind_int(yardstick->page, 3, limit);
  return drain(yardstick, yardstick->page);
}

int cyardstick_offset(cyardstick *yardstick, int64_t conversation, int64_t offset, int limit) {
  sqlite3_bind_int64(yardstick->offset, 1, conversation);
  sqlite3_bind_int(yardstick->offset, 2, limit);
  sqlite3_bind_int64(yardstick->offset, 3, offset);
  return drain(yardstick, yardstick->offset);
}

int cyardstick_insert(cyardstick *yardstick, int64_t id, const char *text) {
  sqlite3_bind_int64(yardstick->insert, 1, id);
  sqlite3_bind_text(yardstick->insert, 2, text, -1, SQLITE_STATIC);
  int result = sqlite3_step(yardstick->insert);
  sqlite3_reset(yardstick->insert);
  return result == SQLITE_DONE;
}
