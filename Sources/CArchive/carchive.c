#include "carchive.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static carchive_functions functions;
static bool is_there;

#ifdef __linux__

// The name has been the same since libarchive 3.0.
static void *open_library(void) {
  void *library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  return library ? library : dlopen("libarchive.so", RTLD_NOW | RTLD_LOCAL);
}

static void load(void) {
  void *library = open_library();
  if (!library) return;
#define FIND(name) \
  void *found_##name = dlsym(library, #name); \
  if (!found_##name) return; \
  functions.name = (__typeof__(&name))found_##name;
  CARCHIVE_FUNCTIONS(FIND)
  is_there = true;
}

#else

// Linked: loading takes no time worth saving where the system keeps its libraries loaded.
static void load(void) {
#define TAKE(name) functions.name = name;
  CARCHIVE_FUNCTIONS(TAKE)
  is_there = true;
}

#endif

const carchive_functions *carchive_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there ? &functions : NULL;
}
