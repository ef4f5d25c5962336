#include "cbuildnote.h"

#ifdef __ELF__
#define ROOM __attribute__((section("scrollback_note"), used))
#else
#define ROOM __attribute__((used))
#endif

// Volatile: the compiler would know what is in it otherwise. One byte more than is written, so that it ends.
static volatile const char note[65] ROOM = {0};

const char *cbuildnote_commit(void) { return (const char *)note; }
