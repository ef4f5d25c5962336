#include "cpostgres_client.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libpq.h"

#ifdef CPG_HAS_HEADER
#define COMPARE(result, name, parameters) \
  _Static_assert( \
      __builtin_types_compatible_p(__typeof__(&name), result(*) parameters), #name " is declared otherwise");
CPG_FUNCTIONS(COMPARE)
#endif

static struct {
#define FIELD(result, name, parameters) result (*name) parameters;
  CPG_FUNCTIONS(FIELD)
} libpq;
static bool is_there;

// The name has been the same since PostgreSQL 8.2. Homebrew keeps it where no loader looks.
static const char *const names[] = {
#ifdef __APPLE__
    "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
#else
    "libpq.so.5", "libpq.so",
#endif
};

static void *open_library(void) {
  void *library = NULL;
  for (size_t at = 0; !library && at < sizeof names / sizeof *names; at++)
    library = dlopen(names[at], RTLD_NOW | RTLD_LOCAL);
  return library;
}

static void load(void) {
  void *library = open_library();
  if (!library) return;
#define FIND(result, name, parameters) \
  void *found_##name = dlsym(library, #name); \
  if (!found_##name) return; \
  libpq.name = (result(*) parameters)found_##name;
  CPG_FUNCTIONS(FIND)
  is_there = true;
}

static PGconn *pg(const cpg_connection *connection) { return (PGconn *)connection; }
static PGresult *rows(const cpg_result *result) { return (PGresult *)result; }

bool cpg_is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there;
}

static void ignore(void *context, const PGresult *result) {
  (void)context;
  (void)result;
}

cpg_connection *cpg_connect(const char *address, const char *application) {
  if (!cpg_is_there()) return NULL;
  // What stands behind the address is not overruled by it, but for what only fills a gap.
  const char *words[] = {"connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count",
                         "fallback_application_name", "dbname", "client_encoding", NULL};
  const char *timeout = getenv("PGCONNECT_TIMEOUT");
  const char *values[] = {timeout ? timeout : "10", "30", "10", "3", application, address, "UTF8", NULL};
  PGconn *connection = libpq.PQconnectdbParams(words, values, 1);
  if (connection) libpq.PQsetNoticeReceiver(connection, ignore, NULL);
  return (cpg_connection *)connection;
}

void cpg_finish(cpg_connection *connection) { libpq.PQfinish(pg(connection)); }
bool cpg_is_alive(const cpg_connection *connection) { return libpq.PQstatus(pg(connection)) == CONNECTION_OK; }
bool cpg_needs_password(const cpg_connection *connection) {
  return libpq.PQconnectionNeedsPassword(pg(connection)) == 1;
}
const char *cpg_error(const cpg_connection *connection) { return libpq.PQerrorMessage(pg(connection)); }

static const char *text(const char *text) { return text ? text : ""; }

int cpg_address_has_password(const char *address) {
  if (!cpg_is_there()) return 0;
  char *error = NULL;
  PQconninfoOption *options = libpq.PQconninfoParse(address, &error);
  libpq.PQfreemem(error);
  if (!options) return -1;
  int found = 0;
  for (PQconninfoOption *option = options; option->keyword; option++) {
    bool is_secret = strcmp(option->keyword, "password") == 0 || strcmp(option->keyword, "sslpassword") == 0;
    if (is_secret && option->val && *option->val) found = 1;
  }
  libpq.PQconninfoFree(options);
  return found;
}

cpg_cancel *cpg_cancel_handle(cpg_connection *connection) {
  return (cpg_cancel *)libpq.PQgetCancel(pg(connection));
}
void cpg_cancel_send(cpg_cancel *handle) {
  char error[256];
  libpq.PQcancel((PGcancel *)handle, error, sizeof error);
}
void cpg_cancel_free(cpg_cancel *handle) { libpq.PQfreeCancel((PGcancel *)handle); }


bool cpg_send_prepare(cpg_connection *connection, const char *name, const char *sql) {
  return libpq.PQsendPrepare(pg(connection), name, sql, 0, NULL) == 1;
}

bool cpg_send_prepared(
    cpg_connection *connection, const char *name, int count, const char *const *values) {
  return libpq.PQsendQueryPrepared(pg(connection), name, count, values, NULL, NULL, 1) == 1;
}

bool cpg_send(cpg_connection *connection, const char *sql, int count, const char *const *values) {
  return libpq.PQsendQueryParams(pg(connection), sql, count, NULL, values, NULL, NULL, 1) == 1;
}


static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits until there is something to read, and sends on what waits to be sent; 1 for that, 0 for none in time, -1 for a
// connection that is broken.
static int wait_to_read(PGconn *connection, int64_t end) {
  int unsent = libpq.PQflush(connection);
  if (unsent < 0) return -1;
  int64_t left = end - now();
  struct pollfd file = {.fd = libpq.PQsocket(connection), .events = POLLIN | (unsent ? POLLOUT : 0)};
  if (file.fd < 0) return -1;
  int ready = poll(&file, 1, left > 0 ? (int)left : 0);
  if (ready < 0) return errno == EINTR ? 1 : -1;
  if (ready == 0) return 0;
  return (file.revents & POLLOUT) && !(file.revents & ~POLLOUT) ? 1 : libpq.PQconsumeInput(connection) ? 1 : -1;
}

cpg_arrival cpg_next(cpg_connection *connection, int milliseconds, cpg_result **result) {
  *result = NULL;
  int64_t end = now() + milliseconds;
  while (libpq.PQflush(pg(connection)) > 0 || libpq.PQisBusy(pg(connection))) {
    int state = wait_to_read(pg(connection), end);
    if (state < 0) return CPG_BROKEN;
    if (state == 0) return CPG_TIMED_OUT;
  }
  PGresult *found = libpq.PQgetResult(pg(connection));
  if (!found) return libpq.PQstatus(pg(connection)) == CONNECTION_OK ? CPG_END : CPG_BROKEN;
  *result = (cpg_result *)found;
  return CPG_RESULT;
}

cpg_outcome cpg_result_outcome(const cpg_result *result) {
  switch (libpq.PQresultStatus(rows(result))) {
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

void cpg_result_free(cpg_result *result) { libpq.PQclear(rows(result)); }
int cpg_result_rows(const cpg_result *result) { return libpq.PQntuples(rows(result)); }

const uint8_t *cpg_result_value(const cpg_result *result, int row, int column, int *length) {
  if (libpq.PQgetisnull(rows(result), row, column)) return NULL;
  *length = libpq.PQgetlength(rows(result), row, column);
  return (const uint8_t *)libpq.PQgetvalue(rows(result), row, column);
}

const char *cpg_result_state(const cpg_result *result) {
  return text(libpq.PQresultErrorField(rows(result), PG_DIAG_SQLSTATE));
}
const char *cpg_result_message(const cpg_result *result) {
  const char *primary = libpq.PQresultErrorField(rows(result), PG_DIAG_MESSAGE_PRIMARY);
  return primary ? primary : text(libpq.PQresultErrorMessage(rows(result)));
}

bool cpg_put(cpg_connection *connection, const uint8_t *bytes, int count) {
  return libpq.PQputCopyData(pg(connection), (const char *)bytes, count) == 1;
}
bool cpg_put_end(cpg_connection *connection, const char *reason) {
  return libpq.PQputCopyEnd(pg(connection), reason) == 1;
}

static int take_notices(PGconn *connection) {
  int count = 0;
  for (PGnotify *notice; (notice = libpq.PQnotifies(connection)); count++) libpq.PQfreemem(notice);
  return count;
}

int cpg_wait_for_notices(cpg_connection *connection, int milliseconds) {
  int count = take_notices(pg(connection));
  if (count > 0) return count;
  int state = wait_to_read(pg(connection), now() + milliseconds);
  if (state < 0 || libpq.PQstatus(pg(connection)) != CONNECTION_OK) return -1;
  return take_notices(pg(connection));
}
