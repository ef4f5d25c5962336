#include "csqliteshim.h"
#ifdef __linux__
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif

int csqlite_enable_triggers(sqlite3 *connection, int on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, on, (int *)0);
}

int csqlite_has_triggers(sqlite3 *connection) {
  int on = 1;
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, -1, &on);
  return on;
}

int csqlite_forgo_memory_figures(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

int csqlite_open_shadow_tables(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)0);
}

int csqlite_be_defensive(sqlite3 *connection) {
  int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (result != SQLITE_OK) return result;
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

int csqlite_read_half(sqlite3 *connection) {
  int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, (int *)0);
  if (result != SQLITE_OK) return result;
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

int csqlite_has_moved(sqlite3 *connection) {
  int moved = 0;
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

long csqlite_file_system(const char *path) {
  struct statfs info;
  if (statfs(path, &info) != 0) return -1;
#ifdef __linux__
  return (long)info.f_type;
#else
  return info.f_flags & MNT_LOCAL ? 0 : 0x6969;
#endif
}
