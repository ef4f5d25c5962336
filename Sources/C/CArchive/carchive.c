#include "carchive.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#if __has_include(<archive.h>) && __has_include(<archive_entry.h>)
#include <archive.h>
#include <archive_entry.h>

#define COMPARE(result, name, parameters) \
  _Static_assert( \
      __builtin_types_compatible_p(__typeof__(&name), result(*) parameters), #name " is declared otherwise");
CARCHIVE_FUNCTIONS(COMPARE)
#endif

static carchive_functions functions;
static bool is_there;

// The name has been the same since libarchive 3.0.
#ifdef __APPLE__
static const char *const names[] = {"/usr/lib/libarchive.2.dylib", "libarchive.13.dylib"};
#else
static const char *const names[] = {"libarchive.so.13", "libarchive.so"};
#endif

static void *open_library(void) {
  void *library = dlopen(names[0], RTLD_NOW | RTLD_LOCAL);
  return library ? library : dlopen(names[1], RTLD_NOW | RTLD_LOCAL);
}

static void load(void) {
  void *library = open_library();
  if (!library) return;
#define FIND(result, name, parameters) \
  void *found_##name = dlsym(library, #name); \
  if (!found_##name) return; \
  functions.name = (result(*) parameters)found_##name;
  CARCHIVE_FUNCTIONS(FIND)
  is_there = true;
}

const carchive_functions *carchive_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there ? &functions : NULL;
}
