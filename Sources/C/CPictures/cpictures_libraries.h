// Libraries that are loaded when the first picture is read or drawn: a command would wait for them at its start.
#pragma once

#include <stdbool.h>

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>

#define CPICTURES_FIELD(name) __typeof__(&name) name;
#define CPICTURES_FIND(name) && (found.name = (__typeof__(&name))dlsym(handle, #name))

// Defines a value `library` with the functions that are used, and `library_is_there()`, which loads them, from any
// thread. `file` is the library's name for the loader.
#define CPICTURES_LIBRARY(library, file, FUNCTIONS) \
  typedef struct { \
    FUNCTIONS(CPICTURES_FIELD) \
  } library##_functions; \
  static library##_functions library; \
  static bool has_##library; \
  static void load_##library(void) { \
    library##_functions found; \
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL); \
    if (!(handle FUNCTIONS(CPICTURES_FIND))) return; \
    library = found; \
    has_##library = true; \
  } \
  static bool library##_is_there(void) { \
    static pthread_once_t once = PTHREAD_ONCE_INIT; \
    pthread_once(&once, load_##library); \
    return has_##library; \
  }

#else

#define CPICTURES_FIELD(name) __typeof__(&name) name;
#define CPICTURES_LINKED(name) .name = name,

// The same where they are linked.
#define CPICTURES_LIBRARY(library, file, FUNCTIONS) \
  static const struct { \
    FUNCTIONS(CPICTURES_FIELD) \
  } library = {FUNCTIONS(CPICTURES_LINKED)}; \
  static bool library##_is_there(void) { return true; }

#endif

// The name of the library that the headers are of.
#define CPICTURES_JPEG_FILE (JPEG_LIB_VERSION >= 80 ? "libjpeg.so.8" : "libjpeg.so.62")
#define CPICTURES_WEBP_FILE "libwebp.so.7"
