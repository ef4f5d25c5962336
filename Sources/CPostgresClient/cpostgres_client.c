#include "cpostgres_client.h"

#include <string.h>

#ifdef SCROLLBACK_POSTGRESQL

#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

static PGconn *pg(const cpg_connection *connection) { return (PGconn *)connection; }
static PGresult *rows(const cpg_result *result) { return (PGresult *)result; }

bool cpg_is_built(void) { return true; }

static void ignore(void *context, const PGresult *result) {
  (void)context;
  (void)result;
}

cpg_connection *cpg_connect(const char *address, const char *application) {
  // What stands behind the address is not overruled by it, but for what only fills a gap.
  const char *words[] = {"connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count",
                         "fallback_application_name", "dbname", "client_encoding", NULL};
  const char *timeout = getenv("PGCONNECT_TIMEOUT");
  const char *values[] = {timeout ? timeout : "10", "30", "10", "3", application, address, "UTF8", NULL};
  PGconn *connection = PQconnectdbParams(words, values, 1);
  if (connection) PQsetNoticeReceiver(connection, ignore, NULL);
  return (cpg_connection *)connection;
}

void cpg_finish(cpg_connection *connection) { PQfinish(pg(connection)); }
bool cpg_is_alive(const cpg_connection *connection) { return PQstatus(pg(connection)) == CONNECTION_OK; }
bool cpg_needs_password(const cpg_connection *connection) {
  return PQconnectionNeedsPassword(pg(connection)) == 1;
}
const char *cpg_error(const cpg_connection *connection) { return PQerrorMessage(pg(connection)); }

static const char *text(const char *text) { return text ? text : ""; }
const char *cpg_host(const cpg_connection *connection) { return text(PQhost(pg(connection))); }
const char *cpg_port(const cpg_connection *connection) { return text(PQport(pg(connection))); }
const char *cpg_database(const cpg_connection *connection) { return text(PQdb(pg(connection))); }
const char *cpg_user(const cpg_connection *connection) { return text(PQuser(pg(connection))); }
bool cpg_is_encrypted(const cpg_connection *connection) { return PQsslInUse(pg(connection)) == 1; }

int cpg_address_has_password(const char *address) {
  char *error = NULL;
  PQconninfoOption *options = PQconninfoParse(address, &error);
  PQfreemem(error);
  if (!options) return -1;
  int found = 0;
  for (PQconninfoOption *option = options; option->keyword; option++) {
    bool is_secret = strcmp(option->keyword, "password") == 0 || strcmp(option->keyword, "sslpassword") == 0;
    if (is_secret && option->val && *option->val) found = 1;
  }
  PQconninfoFree(options);
  return found;
}

cpg_cancel *cpg_cancel_handle(cpg_connection *connection) {
  return (cpg_cancel *)PQgetCancel(pg(connection));
}
void cpg_cancel_send(cpg_cancel *handle) {
  char error[256];
  PQcancel((PGcancel *)handle, error, sizeof error);
}
void cpg_cancel_free(cpg_cancel *handle) { PQfreeCancel((PGcancel *)handle); }


bool cpg_send_prepare(cpg_connection *connection, const char *name, const char *sql) {
  return PQsendPrepare(pg(connection), name, sql, 0, NULL) == 1;
}

bool cpg_send_prepared(
    cpg_connection *connection, const char *name, int count, const char *const *values) {
  return PQsendQueryPrepared(pg(connection), name, count, values, NULL, NULL, 1) == 1;
}

bool cpg_send(cpg_connection *connection, const char *sql, int count, const char *const *values) {
  return PQsendQueryParams(pg(connection), sql, count, NULL, values, NULL, NULL, 1) == 1;
}


static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits until there is something to read, and sends on what waits to be sent; 1 for that, 0 for none in time, -1 for a
// connection that is broken.
static int wait_to_read(PGconn *connection, int64_t end) {
  int unsent = PQflush(connection);
  if (unsent < 0) return -1;
  int64_t left = end - now();
  struct pollfd file = {.fd = PQsocket(connection), .events = POLLIN | (unsent ? POLLOUT : 0)};
  if (file.fd < 0) return -1;
  int ready = poll(&file, 1, left > 0 ? (int)left : 0);
  if (ready < 0) return errno == EINTR ? 1 : -1;
  if (ready == 0) return 0;
  return (file.revents & POLLOUT) && !(file.revents & ~POLLOUT) ? 1 : PQconsumeInput(connection) ? 1 : -1;
}

cpg_arrival cpg_next(cpg_connection *connection, int milliseconds, cpg_result **result) {
  *result = NULL;
  int64_t end = now() + milliseconds;
  while (PQflush(pg(connection)) > 0 || PQisBusy(pg(connection))) {
    int state = wait_to_read(pg(connection), end);
    if (state < 0) return CPG_BROKEN;
    if (state == 0) return CPG_TIMED_OUT;
  }
  PGresult *found = PQgetResult(pg(connection));
  if (!found) return PQstatus(pg(connection)) == CONNECTION_OK ? CPG_END : CPG_BROKEN;
  *result = (cpg_result *)found;
  return CPG_RESULT;
}

cpg_outcome cpg_result_outcome(const cpg_result *result) {
  switch (PQresultStatus(rows(result))) {
    case PGRES_TUPLES_OK:
    case PGRES_SINGLE_TUPLE:
      return CPG_ROWS;
    case PGRES_COMMAND_OK:
    case PGRES_EMPTY_QUERY:
      return CPG_DONE;
    case PGRES_COPY_IN:
      return CPG_COPY_IN;
    default:
      return CPG_FAILED;
  }
}

void cpg_result_free(cpg_result *result) { PQclear(rows(result)); }
int cpg_result_rows(const cpg_result *result) { return PQntuples(rows(result)); }
int cpg_result_columns(const cpg_result *result) { return PQnfields(rows(result)); }

const uint8_t *cpg_result_value(const cpg_result *result, int row, int column, int *length) {
  if (PQgetisnull(rows(result), row, column)) return NULL;
  *length = PQgetlength(rows(result), row, column);
  return (const uint8_t *)PQgetvalue(rows(result), row, column);
}

const char *cpg_result_state(const cpg_result *result) {
  return text(PQresultErrorField(rows(result), PG_DIAG_SQLSTATE));
}
const char *cpg_result_message(const cpg_result *result) {
  const char *primary = PQresultErrorField(rows(result), PG_DIAG_MESSAGE_PRIMARY);
  return primary ? primary : text(PQresultErrorMessage(rows(result)));
}
const char *cpg_result_detail(const cpg_result *result) {
  return text(PQresultErrorField(rows(result), PG_DIAG_MESSAGE_DETAIL));
}

bool cpg_put(cpg_connection *connection, const uint8_t *bytes, int count) {
  return PQputCopyData(pg(connection), (const char *)bytes, count) == 1;
}
bool cpg_put_end(cpg_connection *connection, const char *reason) {
  return PQputCopyEnd(pg(connection), reason) == 1;
}

static int take_notices(PGconn *connection) {
  int count = 0;
  for (PGnotify *notice; (notice = PQnotifies(connection)); count++) PQfreemem(notice);
  return count;
}

int cpg_wait_for_notices(cpg_connection *connection, int milliseconds) {
  int count = take_notices(pg(connection));
  if (count > 0) return count;
  int state = wait_to_read(pg(connection), now() + milliseconds);
  if (state < 0 || PQstatus(pg(connection)) != CONNECTION_OK) return -1;
  return take_notices(pg(connection));
}

#else

bool cpg_is_built(void) { return false; }
cpg_connection *cpg_connect(const char *address, const char *application) {
  (void)address, (void)application;
  return NULL;
}
void cpg_finish(cpg_connection *connection) { (void)connection; }
bool cpg_is_alive(const cpg_connection *connection) { return (void)connection, false; }
bool cpg_needs_password(const cpg_connection *connection) { return (void)connection, false; }
const char *cpg_error(const cpg_connection *connection) { return (void)connection, ""; }
const char *cpg_host(const cpg_connection *connection) { return (void)connection, ""; }
const char *cpg_port(const cpg_connection *connection) { return (void)connection, ""; }
const char *cpg_database(const cpg_connection *connection) { return (void)connection, ""; }
const char *cpg_user(const cpg_connection *connection) { return (void)connection, ""; }
bool cpg_is_encrypted(const cpg_connection *connection) { return (void)connection, false; }
int cpg_address_has_password(const char *address) { return (void)address, 0; }
cpg_cancel *cpg_cancel_handle(cpg_connection *connection) { return (void)connection, NULL; }
void cpg_cancel_send(cpg_cancel *handle) { (void)handle; }
void cpg_cancel_free(cpg_cancel *handle) { (void)handle; }
bool cpg_send_prepare(cpg_connection *connection, const char *name, const char *sql) {
  return (void)connection, (void)name, (void)sql, false;
}
bool cpg_send_prepared(
    cpg_connection *connection, const char *name, int count, const char *const *values) {
  return (void)connection, (void)name, (void)count, (void)values, false;
}
bool cpg_send(cpg_connection *connection, const char *sql, int count, const char *const *values) {
  return (void)connection, (void)sql, (void)count, (void)values, false;
}
cpg_arrival cpg_next(cpg_connection *connection, int milliseconds, cpg_result **result) {
  (void)connection, (void)milliseconds;
  *result = NULL;
  return CPG_BROKEN;
}
cpg_outcome cpg_result_outcome(const cpg_result *result) { return (void)result, CPG_FAILED; }
void cpg_result_free(cpg_result *result) { (void)result; }
int cpg_result_rows(const cpg_result *result) { return (void)result, 0; }
int cpg_result_columns(const cpg_result *result) { return (void)result, 0; }
const uint8_t *cpg_result_value(const cpg_result *result, int row, int column, int *length) {
  (void)result, (void)row, (void)column;
  *length = 0;
  return NULL;
}
const char *cpg_result_state(const cpg_result *result) { return (void)result, ""; }
const char *cpg_result_message(const cpg_result *result) { return (void)result, ""; }
const char *cpg_result_detail(const cpg_result *result) { return (void)result, ""; }
bool cpg_put(cpg_connection *connection, const uint8_t *bytes, int count) {
  return (void)connection, (void)bytes, (void)count, false;
}
bool cpg_put_end(cpg_connection *connection, const char *reason) {
  return (void)connection, (void)reason, false;
}
int cpg_wait_for_notices(cpg_connection *connection, int milliseconds) {
  return (void)connection, (void)milliseconds, -1;
}

#endif
