// The limit of a load: the tables and indexes of a store, written in C from fields that are already taken apart.
#pragma once
#include <stdint.h>

typedef struct cbaseline_load cbaseline_load;

// One message, in ascending order of ids within each conversation and the store.
typedef struct {
  int64_t id, conversation, sender;
  int32_t kind, precision, features;
  // Where its text lies among the bytes of the chunk.
  uint32_t offset, count;
} cbaseline_message;

// Opens a store that has its conversations and senders; NULL if it cannot be opened. With triggers off, and the same
// settings as a bulk load. `cache_kib` is the size of the page cache.
cbaseline_load *cbaseline_load_open(const char *path, int cache_kib, int with_search);
// Writes messages in one transaction: rows with their checksums, counts by block and facet, search index. Returns whether all went well; cbaseline_cause() says what did not.
int cbaseline_load_add(
    cbaseline_load *load, const cbaseline_message *messages, int count, const char *text);
void cbaseline_load_close(cbaseline_load *load);
