// What is used of libpq, the same since PostgreSQL 9.5: by its own header where that is there, else as the header has it, to
// the letter.
#pragma once

#include <stddef.h>

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#define CPG_HAS_HEADER
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#define CPG_HAS_HEADER
#else

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;
typedef enum { CONNECTION_OK, CONNECTION_BAD } ConnStatusType;
typedef enum {
  PGRES_EMPTY_QUERY = 0,
  PGRES_COMMAND_OK = 1,
  PGRES_TUPLES_OK = 2,
  PGRES_COPY_IN = 4,
  PGRES_SINGLE_TUPLE = 9
} ExecStatusType;

// Only what points to one of these is taken and given back.
typedef struct pgNotify PGnotify;

typedef struct _PQconninfoOption {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
} PQconninfoOption;

typedef void (*PQnoticeReceiver)(void *context, const PGresult *result);

#define PG_DIAG_SQLSTATE 'C'
#define PG_DIAG_MESSAGE_PRIMARY 'M'

#endif

// The functions that are used: result, name, parameters.
#define CPG_FUNCTIONS(USE) \
  USE(int, PQcancel, (PGcancel *, char *, int)) \
  USE(void, PQclear, (PGresult *)) \
  USE(PGconn *, PQconnectdbParams, (const char *const *, const char *const *, int)) \
  USE(int, PQconnectionNeedsPassword, (const PGconn *)) \
  USE(void, PQconninfoFree, (PQconninfoOption *)) \
  USE(PQconninfoOption *, PQconninfoParse, (const char *, char **)) \
  USE(int, PQconsumeInput, (PGconn *)) \
  USE(char *, PQerrorMessage, (const PGconn *)) \
  USE(void, PQfinish, (PGconn *)) \
  USE(int, PQflush, (PGconn *)) \
  USE(void, PQfreeCancel, (PGcancel *)) \
  USE(void, PQfreemem, (void *)) \
  USE(PGcancel *, PQgetCancel, (PGconn *)) \
  USE(PGresult *, PQgetResult, (PGconn *)) \
  USE(int, PQgetisnull, (const PGresult *, int, int)) \
  USE(int, PQgetlength, (const PGresult *, int, int)) \
  USE(char *, PQgetvalue, (const PGresult *, int, int)) \
  USE(int, PQisBusy, (PGconn *)) \
  USE(PGnotify *, PQnotifies, (PGconn *)) \
  USE(int, PQntuples, (const PGresult *)) \
  USE(int, PQputCopyData, (PGconn *, const char *, int)) \
  USE(int, PQputCopyEnd, (PGconn *, const char *)) \
  USE(char *, PQresultErrorField, (const PGresult *, int)) \
  USE(char *, PQresultErrorMessage, (const PGresult *)) \
  USE(ExecStatusType, PQresultStatus, (const PGresult *)) \
  USE(int, PQsendPrepare, (PGconn *, const char *, const char *, int, const unsigned int *)) \
  USE(int, PQsendQueryParams, \
      (PGconn *, const char *, int, const unsigned int *, const char *const *, const int *, const int *, int)) \
  USE(int, PQsendQueryPrepared, \
      (PGconn *, const char *, int, const char *const *, const int *, const int *, int)) \
  USE(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *, PQnoticeReceiver, void *)) \
  USE(int, PQsocket, (const PGconn *)) \
  USE(ConnStatusType, PQstatus, (const PGconn *))
