// What is asked of libpq, in calls that never wait longer than they are told to. It is loaded when the first archive is
// named: with OpenSSL, Kerberos and LDAP it is nearly half of what a command would have to wait for at its start.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cpg_connection cpg_connection;
typedef struct cpg_result cpg_result;
typedef struct cpg_cancel cpg_cancel;

typedef enum {
  CPG_RESULT,
  // The results of one statement are at their end.
  CPG_END,
  CPG_TIMED_OUT,
  CPG_BROKEN
} cpg_arrival;

typedef enum {
  CPG_ROWS,
  CPG_DONE,
  CPG_COPY_IN,
  CPG_FAILED
} cpg_outcome;

// Whether libpq is on this machine; loads it, from any thread. Without it no connection can be made.
bool cpg_is_there(void);

// Connects as psql does: by an address or by keywords, by the variables of the environment, service and password files.
// Always returns a connection, which has failed unless it is alive; NULL without libpq or memory.
cpg_connection *cpg_connect(const char *address, const char *application);
void cpg_finish(cpg_connection *connection);
bool cpg_is_alive(const cpg_connection *connection);
bool cpg_needs_password(const cpg_connection *connection);
const char *cpg_error(const cpg_connection *connection);

// Whether an address or keywords have a password in them, or (-1) cannot be understood; 0 without libpq, which alone reads them.
int cpg_address_has_password(const char *address);

// A handle that stops what the connection is at, from any thread; NULL without memory.
cpg_cancel *cpg_cancel_handle(cpg_connection *connection);
void cpg_cancel_send(cpg_cancel *handle);
void cpg_cancel_free(cpg_cancel *handle);

// A statement is sent, and its results taken until their end. Parameters are texts, results binary.
bool cpg_send_prepare(cpg_connection *connection, const char *name, const char *sql);
bool cpg_send_prepared(
    cpg_connection *connection, const char *name, int count, const char *const *values);
bool cpg_send(cpg_connection *connection, const char *sql, int count, const char *const *values);

// Takes the next result, or waits for so many milliseconds at most.
cpg_arrival cpg_next(cpg_connection *connection, int milliseconds, cpg_result **result);

cpg_outcome cpg_result_outcome(const cpg_result *result);
void cpg_result_free(cpg_result *result);
int cpg_result_rows(const cpg_result *result);
// NULL for a value that is not there.
const uint8_t *cpg_result_value(const cpg_result *result, int row, int column, int *length);
// Five characters, or "".
const char *cpg_result_state(const cpg_result *result);
const char *cpg_result_message(const cpg_result *result);

bool cpg_put(cpg_connection *connection, const uint8_t *bytes, int count);
// Ends the rows; with a reason, none of them is taken.
bool cpg_put_end(cpg_connection *connection, const char *reason);

// Waits for notices; the number of those that came, or -1 if the connection is broken.
int cpg_wait_for_notices(cpg_connection *connection, int milliseconds);
